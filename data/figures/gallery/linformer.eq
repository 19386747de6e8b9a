# Linformer (Wang et al., arXiv 2006.04768): the keys are projected along their places
Q : f32[h=8, q=1024, k=64]
K : f32[h, x=1024, k]
V : f32[h, x, k]
param E : f32[x, p=256]
param F : f32[x, p]
A[h,p,k] = K[h,x,k] E[x,p]
B[h,p,k] = V[h,x,k] F[x,p]
S[h,q,p] = Q[h,q,k] A[h,p,k]
P[h,q,p] = softmax[p](S[h,q,p] * k^-0.5)
O[h,q,k] = P[h,q,p] B[h,p,k]
