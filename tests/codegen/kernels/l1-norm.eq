X : f16[n=200, m=3001]
s[n] = sum[m](abs(X[n,m]))
Y[n,m] = X[n,m] / (s[n] + 1e-6)
