X : f16[n=513, m=8193]
Z[n] = logsumexp[m](X[n,m])
Y[n,m] = X[n,m] - Z[n]
