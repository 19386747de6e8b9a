# A step of a gated recurrent unit (Cho et al., arXiv 1406.1078)
X : f32[b=64, d=128]
H : f32[b, m=256]
param W : f32[d, g=2, m]
param U : f32[n=m, g, m]
param V : f32[d, m]
param R : f32[n, m]
G[b,g,m] = sigmoid(X[b,d] W[d,g,m] + H[b,n] U[n,g,m])
S[b,m] = G[b,0,m] H[b,m]
N[b,m] = tanh(X[b,d] V[d,m] + S[b,n] R[n,m])
Y[b,m] = G[b,1,m] H[b,m] + (1 - G[b,1,m]) N[b,m]
