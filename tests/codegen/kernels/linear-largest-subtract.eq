X : f16[n=300, k=256]
W : f16[k, m=500]
H[n,m] = X[n,k] W[k,m]
t[n] = max[m](H[n,m])
Y[n,m] = gelu(H[n,m] - t[n])
