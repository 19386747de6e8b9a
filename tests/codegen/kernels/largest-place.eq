X : f32[b=17, n=255, m=257]
Y[b,m] = argmax[n](X[b,n,m])
