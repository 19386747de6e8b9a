# A block of ConvNeXt (Liu et al., arXiv 2201.03545)
X : f32[y=56, x=56, c=96]
param K : f32[u=7, v=7, c]
param W : f32[c, f=384]
param V : f32[f, c]
param s : f32[c]
D[y,x,c] = X[y+u-3,x+v-3,c] K[u,v,c]
N[y,x,c] = layernorm[c, eps=1e-05](D[y,x,c])
H[y,x,f] = gelu(N[y,x,c] W[c,f])
Y[y,x,c] = X[y,x,c] + s[c] (H[y,x,f] V[f,c])
