# A convolution of 1 x 1 in Tucker's form (Kim et al., arXiv 1511.06530)
X : f32[y=28, x=28, c=256]
param U : f32[c, r=64]
param K : f32[u=3, v=3, r, s=64]
param V : f32[s, d=256]
A[y,x,r] = X[y,x,c] U[c,r]
B[y,x,s] = A[y+u-1,x+v-1,r] K[u,v,r,s]
Y[y,x,d] = B[y,x,s] V[s,d]
