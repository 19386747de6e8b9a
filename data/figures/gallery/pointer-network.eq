# A pointer network's choice (Vinyals et al., arXiv 1506.03134)
E : f32[x=100, m=256]
D : f32[q=100, m]
param W : f32[m, a=128]
param U : f32[m, a]
param v : f32[a]
S[q,x] = tanh(E[x,m] W[m,a] + D[q,n] U[n,a]) v[a]
P[q,x] = softmax[x](S[q,x])
