X : f16[n=520, k=250]
W : f16[k, m=250]
H[n,m] = gelu(X[n,k] W[k,m])
Y[n,m] = softmax[m](H[n,m])
