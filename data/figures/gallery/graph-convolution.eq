# A graph convolution (Kipf and Welling, arXiv 1609.02907); A has a loop at each node
A : f32[i=256, j=i]
X : f32[j, m=64]
param W : f32[m, n=32]
D[i] = sum[j](A[i,j])
S[i,n] = A[i,j] D[j]^-0.5 X[j,m] W[m,n]
Y[i,n] = relu(D[i]^-0.5 S[i,n])
