# Retention of one head (Sun et al., arXiv 2307.08621): keys fade with their distance
Q : f32[q=1024, k=64]
K : f32[x=1024, k]
V : f32[x, v=128]
S[q,x] = Q[q,k] K[x,k] * k^-0.5
D[q,x] = where(x <= q, S[q,x] * 0.96875^(index(q) - index(x)), 0)
O[q,v] = D[q,x] V[x,v]
