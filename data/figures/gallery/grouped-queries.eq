# Grouped-query attention (Ainslie et al., arXiv 2305.13245)
Q : f32[g=8, r=4, q=1024, k=128]
K : f32[g, x=1024, k]
V : f32[g, x, k]
S[g,r,q,x] = Q[g,r,q,k] K[g,x,k]
P[g,r,q,x] = softmax[x](S[g,r,q,x] * k^-0.5)
O[g,r,q,k] = P[g,r,q,x] V[g,x,k]
