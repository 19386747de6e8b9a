# Graph attention (Veličković et al., arXiv 1710.10903), one head; A is 1 at neighbours
X : f32[i=256, m=64]
A : f32[i, j=i]
param W : f32[m, n=32]
param a : f32[n]
param b : f32[n]
H[i,n] = X[i,m] W[m,n]
L[i] = H[i,n] a[n]
R[i] = H[i,n] b[n]
E[i,j] = L[i] + R[j]
S[i,j] = where(E[i,j] > 0, E[i,j], 0.2 * E[i,j])
P[i,j] = softmax[j](where(A[i,j] > 0, S[i,j], -inf))
Y[i,n] = P[i,j] H[j,n]
