# Cross-attention of Perceiver (Jaegle et al., arXiv 2103.03206): few latents read many inputs
L : f32[n=256, d=512]
X : f32[x=8192, c=128]
param W_Q : f32[d, k=64]
param W_K : f32[c, k]
param W_V : f32[c, d]
Q[n,k] = L[n,d] W_Q[d,k]
K[x,k] = X[x,c] W_K[c,k]
V[x,d] = X[x,c] W_V[c,d]
P[n,x] = softmax[x](Q[n,k] K[x,k] * k^-0.5)
A[n,d] = P[n,x] V[x,d]
Y[n,d] = L[n,d] + A[n,d]
