# One step of slot attention (Locatello et al., arXiv 2006.15055): slots compete for places
X : f32[x=1024, m=64]
S : f32[s=7, m]
param Q : f32[m, k=64]
param K : f32[m, k]
param V : f32[m, v=64]
A[s,k] = S[s,m] Q[m,k]
B[x,k] = X[x,m] K[m,k]
C[x,v] = X[x,m] V[m,v]
P[x,s] = softmax[s](B[x,k] A[s,k] * k^-0.5)
N[s] = sum[x](P[x,s])
T[s,v] = P[x,s] C[x,v]
U[s,v] = T[s,v] / N[s]
