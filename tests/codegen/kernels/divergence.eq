P : f32[n=130, m=4097]
L : f32[n, m]
d[n] = sum[m](P[n,m] * (P[n,m] - L[n,m]))
s = mean[n](d[n])
