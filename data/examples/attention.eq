# Scaled dot-product attention (Vaswani et al., 2017), one head
Q : f16[y=4096, k=128]
K : f16[x=4096, k]
V : f16[x, k]
S[y,x] = Q[y,k] K[x,k]
P[y,x] = softmax[x](S[y,x] * k^-0.5)
O[y,k] = P[y,x] V[x,k]
