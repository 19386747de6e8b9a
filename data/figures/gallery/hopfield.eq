# One update of a modern Hopfield network (Ramsauer et al., arXiv 2008.02217)
R : f32[b=64, d=128]
Y : f32[n=1000, d]
S[b,n] = R[b,d] Y[n,d] * 8
P[b,n] = softmax[n](S[b,n])
Z[b,d] = P[b,n] Y[n,d]
