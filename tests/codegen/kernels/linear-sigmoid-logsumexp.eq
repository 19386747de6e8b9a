X : f16[n=300, k=257]
W : f16[k, m=511]
H[n,m] = sigmoid(X[n,k] W[k,m])
s[n] = sum[m](H[n,m])
z = logsumexp[n](s[n])
