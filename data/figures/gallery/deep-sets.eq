# Deep sets (Zaheer et al., arXiv 1703.06114)
X : f32[b=32, x=100, m=64]
param W : f32[m, f=128]
param V : f32[f, g=128]
param U : f32[g, n=10]
H[b,x,f] = relu(X[b,x,m] W[m,f])
S[b,f] = sum[x](H[b,x,f])
G[b,g] = relu(S[b,f] V[f,g])
Y[b,n] = G[b,g] U[g,n]
