# The input of a radiance field (Mildenhall et al., arXiv 2003.08934): sines of growing frequency
X : f32[b=4096, d=3]
axis f = 10
param W : f32[d, f, h=256]
param V : f32[d, f, h]
A[b,d,f] = X[b,d] * 3.14159 * 2^index(f)
S[b,h] = sin(A[b,d,f]) W[d,f,h]
C[b,h] = cos(A[b,d,f]) V[d,f,h]
Y[b,h] = relu(S[b,h] + C[b,h])
