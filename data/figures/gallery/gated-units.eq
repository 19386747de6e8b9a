# A feed-forward layer with gated units, GEGLU (Shazeer, arXiv 2002.05202)
X : f32[x=512, m=768]
param W : f32[m, f=2048]
param V : f32[m, f]
param U : f32[f, m]
G[x,f] = gelu(X[x,m] W[m,f])
H[x,f] = X[x,m] V[m,f]
Y[x,m] = (G[x,f] H[x,f]) U[f,m]
