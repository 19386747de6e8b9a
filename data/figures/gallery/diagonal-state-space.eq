# A diagonal state space, S4D (Gu et al., arXiv 2206.11893)
X : f32[t=1024, d=256]
param A : f32[d, n=64]
param B : f32[d, n]
param C : f32[d, n]
H[t,d,n] = recurrence[t](exp(-exp(A[d,n])), B[d,n] X[t,d])
Y[t,d] = C[d,n] H[t,d,n]
