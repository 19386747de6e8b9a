# A bottleneck of ResNet-50 (He et al., arXiv 1512.03385), without its norms
X : f32[y=56, x=56, c=256]
param A : f32[c, d=64]
param K : f32[u=3, v=3, d, e=64]
param B : f32[e, c]
H[y,x,d] = relu(X[y,x,c] A[c,d])
G[y,x,e] = relu(H[y+u-1,x+v-1,d] K[u,v,d,e])
Y[y,x,c] = relu(X[y,x,c] + G[y,x,e] B[e,c])
