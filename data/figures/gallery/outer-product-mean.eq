# The outer product mean of AlphaFold 2 (Jumper et al., 2021)
M : f32[s=128, i=64, c=64]
param A : f32[c, a=32]
param B : f32[c, b=32]
param W : f32[a, b, z=128]
L[s,i,a] = M[s,i,c] A[c,a]
R[s,j,b] = M[s,j,c] B[c,b]
O[i,j,a,b] = mean[s](L[s,i,a] R[s,j,b])
Z[i,j,z] = O[i,j,a,b] W[a,b,z]
