X : f32[n=129, m=1000]
R[n,m] = X[n,999 - m]
Y[n,m] = cumsum[m](R[n,m])
