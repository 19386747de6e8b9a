# Feature-wise linear modulation (Perez et al., arXiv 1709.07871)
X : f32[y=14, x=14, c=128]
Z : f32[e=256]
param G : f32[e, c]
param B : f32[e, c]
A[c] = Z[e] G[e,c]
D[c] = Z[e] B[e,c]
Y[y,x,c] = relu(A[c] X[y,x,c] + D[c])
