X : bf16[k=320, a=96]
W : f32[b=203, k]
Y[a,b] = X[k,a] W[b,k]
-> Y
