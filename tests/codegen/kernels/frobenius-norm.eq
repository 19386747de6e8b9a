X : f32[n=301, m=999]
q = sum[n,m](X[n,m] * X[n,m])
Y[n,m] = X[n,m] / sqrt(q)
