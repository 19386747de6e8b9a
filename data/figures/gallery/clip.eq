# The scores of CLIP (Radford et al., arXiv 2103.00020)
I : f32[n=256, d=768]
T : f32[m=n, t=512]
param W : f32[d, e=512]
param V : f32[t, e]
A[n,e] = l2norm[e](I[n,d] W[d,e])
B[m,e] = l2norm[e](T[m,t] V[t,e])
L[n,m] = A[n,e] B[m,e] * 14.3
P[n,m] = softmax[m](L[n,m])
