X : f16[n=129, m=4099]
Y[n,m] = where(X[n,m] > 0, X[n,m], 0.01 * X[n,m])
