# Triangle multiplication of AlphaFold 2 (Jumper et al., 2021), outgoing edges
Z : f32[i=64, j=i, c=128]
param A : f32[c, d=128]
param B : f32[c, d]
param G : f32[c, e=c]
param W : f32[d, e]
N[i,j,c] = layernorm[c, eps=1e-05](Z[i,j,c])
L[i,j,d] = N[i,j,c] A[c,d]
R[i,j,d] = N[i,j,c] B[c,d]
T[i,j,d] = L[i,k,d] R[j,k,d]
O[i,j,e] = layernorm[d, eps=1e-05](T[i,j,d]) W[d,e]
Y[i,j,e] = sigmoid(N[i,j,c] G[c,e]) O[i,j,e]
