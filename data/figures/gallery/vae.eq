# A variational autoencoder (Kingma and Welling, arXiv 1312.6114), with its noise as an input
X : f32[b=64, p=784]
N : f32[b, z=20]
param E : f32[p, h=400]
param M : f32[h, z]
param S : f32[h, z]
param D : f32[z, g=400]
param W : f32[g, p]
H[b,h] = relu(X[b,p] E[p,h])
U[b,z] = H[b,h] M[h,z]
V[b,z] = exp(0.5 * (H[b,h] S[h,z]))
Z[b,z] = U[b,z] + V[b,z] N[b,z]
G[b,g] = relu(Z[b,z] D[z,g])
Y[b,p] = sigmoid(G[b,g] W[g,p])
