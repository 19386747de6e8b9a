# Attention by positive random features (Choromanski et al., arXiv 2009.14794)
Q : f32[q=1024, k=64]
K : f32[x=1024, k]
V : f32[x, v=64]
param W : f32[k, f=256]
F[q,f] = exp(Q[q,k] W[k,f] - 0.5 * sum[k](Q[q,k]^2))
G[x,f] = exp(K[x,k] W[k,f] - 0.5 * sum[k](K[x,k]^2))
S[f,v] = G[x,f] V[x,v]
Z[f] = sum[x](G[x,f])
N[q,v] = F[q,f] S[f,v]
D[q] = F[q,f] Z[f]
O[q,v] = N[q,v] / D[q]
