# Experts with a soft gate (Jacobs et al., 1991)
X : f32[b=64, m=128]
param G : f32[m, e=8]
param W : f32[e, m, f=256]
param V : f32[e, f, n=128]
P[b,e] = softmax[e](X[b,m] G[m,e])
H[b,e,f] = relu(X[b,m] W[e,m,f])
O[b,e,n] = H[b,e,f] V[e,f,n]
Y[b,n] = P[b,e] O[b,e,n]
