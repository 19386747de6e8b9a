X : bf16[n=77, m=2050]
Y[n,m] = min(max(X[n,m] / 6 + 0.5, 0), 1)
