X : f32[n=515, m=769]
Y : f32[n, m]
p[n] = X[n,m] Y[n,m]
a[n] = sum[m](X[n,m] * X[n,m])
b[n] = sum[m](Y[n,m] * Y[n,m])
c[n] = p[n] / sqrt(a[n] * b[n] + 1e-8)
