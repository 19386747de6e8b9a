Q : f16[h=3, q=257, d=72]
K : f16[h, x=515, d]
V : f16[h, x, d]
S[h,q,x] = Q[h,q,d] K[h,x,d] * d^-0.5
P[h,q,x] = softmax[x](S[h,q,x])
O[h,q,d] = P[h,q,x] V[h,x,d]
