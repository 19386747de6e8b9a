# Kronecker attention (Gao et al., arXiv 2007.08442): an image attends to the means of its rows and columns
X : f32[i=32, j=32, c=64]
R[i,c] = mean[j](X[i,j,c])
S[j,c] = mean[i](X[i,j,c])
K[n,c] = concat[n](R[i,c], S[j,c])
T[i,j,n] = X[i,j,c] K[n,c]
P[i,j,n] = softmax[n](T[i,j,n] * c^-0.5)
O[i,j,c] = P[i,j,n] K[n,c]
