# A layer of MLP-Mixer (Tolstikhin et al., arXiv 2105.01601)
X : f32[s=196, c=512]
param A : f32[s, d=256]
param B : f32[d, s]
param W : f32[c, e=2048]
param V : f32[e, c]
N[s,c] = layernorm[c, eps=1e-05](X[s,c])
G[d,c] = gelu(N[s,c] A[s,d])
U[s,c] = X[s,c] + G[d,c] B[d,s]
M[s,c] = layernorm[c, eps=1e-05](U[s,c])
H[s,e] = gelu(M[s,c] W[c,e])
Y[s,c] = U[s,c] + H[s,e] V[e,c]
