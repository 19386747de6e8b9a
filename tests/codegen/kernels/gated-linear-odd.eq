X : bf16[n=255, k=300]
W : bf16[k, m=500]
V : bf16[k, m]
Y[n,m] = silu(X[n,k] W[k,m]) * (X[n,k] V[k,m])
