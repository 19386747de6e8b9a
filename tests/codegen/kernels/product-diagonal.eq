a : f32[n=4097]
B : f32[n, m=1023]
C[n,m] = a[n] * B[n,m]
