# A linear layer as a tensor train (Novikov et al., arXiv 1509.06569)
X : f32[b=64, i=8, j=8, k=8]
param F : f32[i, l=8, r=4]
param G : f32[r, j, m=8, s=4]
param H : f32[s, k, n=8]
A[b,l,j,k,r] = X[b,i,j,k] F[i,l,r]
B[b,l,m,k,s] = A[b,l,j,k,r] G[r,j,m,s]
Y[b,l,m,n] = B[b,l,m,k,s] H[s,k,n]
