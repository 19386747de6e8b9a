# A residual block of a diffusion U-Net (Ho et al., arXiv 2006.11239), with the time in every channel
X : f32[y=32, x=32, g=32, c=4]
T : f32[e=512]
param K : f32[u=3, v=3, g, c, o=g, d=c]
param U : f32[e, o, d]
param L : f32[p=3, q=3, o, d, g, c]
N[y,x,g,c] = silu(layernorm[y,x,c, eps=1e-05](X[y,x,g,c]))
A[y,x,o,d] = N[y+u-1,x+v-1,g,c] K[u,v,g,c,o,d]
B[y,x,o,d] = A[y,x,o,d] + T[e] U[e,o,d]
M[y,x,o,d] = silu(layernorm[y,x,d, eps=1e-05](B[y,x,o,d]))
Y[y,x,g,c] = X[y,x,g,c] + M[y+p-1,x+q-1,o,d] L[p,q,o,d,g,c]
