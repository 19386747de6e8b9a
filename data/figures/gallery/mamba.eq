# A block of Mamba (Gu and Dao, arXiv 2312.00752) from its input to the gate
X : f32[t=1024, m=768]
param U : f32[m, d=1536]
param G : f32[m, d]
param K : f32[w=4, d]
param B : f32[d, n=16]
param C : f32[d, n]
param S : f32[d, r=48]
param T : f32[r, d]
param A : f32[d, n]
param W : f32[d, m]
V[t,d] = X[t,m] U[m,d]
Z[t,d] = silu(V[t+w-3,d] K[w,d])
N[t,r] = Z[t,d] S[d,r]
D[t,d] = log(1 + exp(N[t,r] T[r,d]))
P[t,n] = Z[t,d] B[d,n]
Q[t,n] = Z[t,d] C[d,n]
H[t,d,n] = recurrence[t](exp(D[t,d] A[d,n]), D[t,d] P[t,n] Z[t,d])
O[t,d] = Q[t,n] H[t,d,n]
M[t,d] = silu(X[t,m] G[m,d])
Y[t,m] = (O[t,d] M[t,d]) W[d,m]
