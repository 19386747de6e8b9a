# A depthwise separable convolution of MobileNet (Howard et al., arXiv 1704.04861)
X : f32[y=112, x=112, c=32]
param K : f32[u=3, v=3, c]
param W : f32[c, d=64]
D[y,x,c] = relu(X[y+u-1,x+v-1,c] K[u,v,c])
Y[y,x,d] = relu(D[y,x,c] W[c,d])
