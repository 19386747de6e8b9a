# Linear attention (Katharopoulos et al., arXiv 2006.16236)
Q : f32[h=8, q=1024, k=64]
K : f32[h, x=1024, k]
V : f32[h, x, v=64]
F[h,q,k] = where(Q[h,q,k] > 0, Q[h,q,k] + 1, exp(Q[h,q,k]))
G[h,x,k] = where(K[h,x,k] > 0, K[h,x,k] + 1, exp(K[h,x,k]))
S[h,k,v] = G[h,x,k] V[h,x,v]
Z[h,k] = sum[x](G[h,x,k])
N[h,q,v] = F[h,q,k] S[h,k,v]
D[h,q] = F[h,q,k] Z[h,k]
O[h,q,v] = N[h,q,v] / D[h,q]
