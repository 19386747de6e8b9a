# Multi-head latent attention (DeepSeek-AI, arXiv 2405.04434): a cache keeps C alone
X : f32[x=1024, m=2048]
param D : f32[m, c=512]
param W : f32[m, h=16, k=128]
param U : f32[c, h, k]
param R : f32[c, h, v=128]
param O : f32[h, v, m]
C[x,c] = X[x,m] D[m,c]
Q[h,x,k] = X[x,m] W[m,h,k]
K[h,x,k] = C[x,c] U[c,h,k]
V[h,x,v] = C[x,c] R[c,h,v]
P[h,x,y] = softmax[y](Q[h,x,k] K[h,y,k] * k^-0.5)
A[h,x,v] = P[h,x,y] V[h,y,v]
Y[x,m] = A[h,x,v] O[h,v,m]
