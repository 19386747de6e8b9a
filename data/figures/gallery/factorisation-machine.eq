# The pairs of a factorisation machine (Rendle, 2010) in linear time
X : f32[b=64, n=1000]
param V : f32[n, k=16]
S[b,k] = X[b,n] V[n,k]
Q[b,k] = X[b,n]^2 V[n,k]^2
Y[b] = sum[k](0.5 * (S[b,k]^2 - Q[b,k]))
