# Skip-gram (Mikolov et al., arXiv 1301.3781): a word tells those around it
T : i64[b=64]
param E : f32[v=10000, d=128]
param U : f32[d, w=10000]
X[b,d] = E[T[b],d]
P[b,w] = softmax[w](X[b,d] U[d,w])
