X : f16[n=1025, k=500]
W : f16[k, m=260]
b : f16[m]
Y[n,m] = relu(X[n,k] W[k,m] + b[m])
