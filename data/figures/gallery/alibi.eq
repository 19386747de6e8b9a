# Attention with linear biases (Press et al., arXiv 2108.12409), for one head
Q : f32[q=1024, k=64]
K : f32[x=1024, k]
V : f32[x, k]
S[q,x] = Q[q,k] K[x,k] * k^-0.5
P[q,x] = softmax[x](where(x <= q, S[q,x] - 0.25 * (index(q) - index(x)), -inf))
O[q,k] = P[q,x] V[x,k]
