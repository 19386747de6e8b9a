X : f16[n=300, k=256]
W : f16[k, m=256]
R : f16[n, m]
H[n,m] = X[n,k] W[k,m]
N[n,m] = layernorm[m, eps=1e-5](H[n,m])
Y[n,m] = (N[n,m] + R[n,m]) * R[n,m]
