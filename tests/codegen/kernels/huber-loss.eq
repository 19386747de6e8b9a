X : f32[n=1021, m=511]
T : f32[n, m]
D[n,m] = abs(X[n,m] - T[n,m])
s = mean[n,m](where(D[n,m] < 1, 0.5 * D[n,m] * D[n,m], D[n,m] - 0.5))
