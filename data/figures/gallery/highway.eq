# A highway layer (Srivastava et al., arXiv 1505.00387)
X : f32[b=64, m=256]
param W : f32[m, n=m]
param V : f32[m, n]
H[b,n] = relu(X[b,m] W[m,n])
T[b,n] = sigmoid(X[b,m] V[m,n])
Y[b,n] = T[b,n] H[b,n] + (1 - T[b,n]) X[b,n]
