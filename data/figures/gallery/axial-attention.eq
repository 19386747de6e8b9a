# Axial attention along rows (Ho et al., arXiv 1912.12180)
X : f32[i=32, j=32, m=128]
param Q : f32[m, k=64]
param K : f32[m, k]
param V : f32[m, n=m]
A[i,j,k] = X[i,j,m] Q[m,k]
B[i,y,k] = X[i,y,m] K[m,k]
C[i,y,n] = X[i,y,m] V[m,n]
P[i,j,y] = softmax[y](A[i,j,k] B[i,y,k] * k^-0.5)
O[i,j,n] = P[i,j,y] C[i,y,n]
