X : f32[n=65, m=2047]
M : i32[n, m]
Z[n,m] = where(M[n,m] > 0, X[n,m], 0)
Y[n,m] = cumsum[m](Z[n,m])
