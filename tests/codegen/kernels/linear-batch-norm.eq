X : f16[n=512, k=260]
W : f16[k, m=132]
H[n,m] = X[n,k] W[k,m]
Y[n,m] = batchnorm[n, eps=1e-5](H[n,m])
