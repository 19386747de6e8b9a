# Routing between capsules (Sabour et al., arXiv 1710.09829), one step
U : f32[i=1152, d=8]
B : f32[i, j=10]
param W : f32[i, d, j, e=16]
H[i,j,e] = U[i,d] W[i,d,j,e]
C[i,j] = softmax[j](B[i,j])
S[j,e] = C[i,j] H[i,j,e]
N[j] = sum[e](S[j,e]^2)
V[j,e] = S[j,e] * (N[j] / (1 + N[j])) * (N[j] + 0.000001)^-0.5
