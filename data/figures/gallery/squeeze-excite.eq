# Squeeze and excitation (Hu et al., arXiv 1709.01507)
X : f32[y=56, x=56, c=256]
param W : f32[c, r=16]
param V : f32[r, c]
S[c] = mean[y,x](X[y,x,c])
H[r] = relu(S[c] W[c,r])
E[c] = sigmoid(H[r] V[r,c])
Y[y,x,c] = X[y,x,c] E[c]
