X : f32[n=1021, m=511]
T : f32[n, m]
s = mean[n,m]((X[n,m] - T[n,m]) * (X[n,m] - T[n,m]))
