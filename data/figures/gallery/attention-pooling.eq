# Pooling by attention (Lee et al., arXiv 1810.00825): learned seeds read a set
X : f32[x=256, m=128]
param S : f32[s=4, k=64]
param K : f32[m, k]
param V : f32[m, n=128]
A[x,k] = X[x,m] K[m,k]
B[x,n] = X[x,m] V[m,n]
P[s,x] = softmax[x](S[s,k] A[x,k] * k^-0.5)
Y[s,n] = P[s,x] B[x,n]
