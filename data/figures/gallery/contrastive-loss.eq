# The contrastive loss of SimCLR (Chen et al., arXiv 2002.05709), one view against the other
A : f32[n=256, d=128]
B : f32[n, d]
U[n,d] = l2norm[d](A[n,d])
V[n,d] = l2norm[d](B[n,d])
S[n,m] = U[n,d] V[m,d] * 10
Z[n] = logsumexp[m](S[n,m])
T[n] = U[n,d] V[n,d] * 10
L = mean[n](Z[n] - T[n])
