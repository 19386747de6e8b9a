A : f16[a=2049, k=8191]
x : f16[k]
y[a] = A[a,k] x[k]
