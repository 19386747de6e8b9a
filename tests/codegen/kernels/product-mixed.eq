X : f32[a=131, k=517]
W : f16[k, b=264]
Y[a,b] = X[a,k] W[k,b]
-> Y
