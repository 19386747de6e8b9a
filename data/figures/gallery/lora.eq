# A linear layer with its low-rank change (Hu et al., arXiv 2106.09685)
X : f32[x=1024, m=4096]
param W : f32[m, n=4096]
param A : f32[m, r=8]
param B : f32[r, n]
Y[x,n] = X[x,m] W[m,n] + 2 * (X[x,m] A[m,r] B[r,n])
