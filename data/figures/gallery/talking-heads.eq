# Talking-heads attention (Shazeer et al., arXiv 2003.02436)
Q : f32[h=8, q=512, k=64]
K : f32[h, x=512, k]
V : f32[g, x, k]
param A : f32[h, l=8]
param B : f32[l, g=8]
S[h,q,x] = Q[h,q,k] K[h,x,k]
T[l,q,x] = S[h,q,x] A[h,l]
P[l,q,x] = softmax[x](T[l,q,x])
R[g,q,x] = P[l,q,x] B[l,g]
O[g,q,k] = R[g,q,x] V[g,x,k]
