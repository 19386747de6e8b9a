# Additive attention (Bahdanau et al., arXiv 1409.0473)
Q : f32[q=64, m=256]
K : f32[x=64, n=512]
param W : f32[m, a=128]
param U : f32[n, a]
param v : f32[a]
T[q,x,a] = tanh(Q[q,m] W[m,a] + K[x,n] U[n,a])
P[q,x] = softmax[x](T[q,x,a] v[a])
C[q,n] = P[q,x] K[x,n]
