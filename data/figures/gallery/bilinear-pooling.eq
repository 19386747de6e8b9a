# Bilinear pooling of two networks (Lin et al., arXiv 1504.07889)
A : f32[y=28, x=28, c=512]
B : f32[y, x, d=512]
P[c,d] = A[y,x,c] B[y,x,d]
Z[c,d] = l2norm[c,d](P[c,d])
