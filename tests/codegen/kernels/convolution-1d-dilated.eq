X : f16[b=5, x=515, c=48]
W : f16[k=3, c, o=80]
Y[b,y=509,o] = X[b,y + 3 * k,c] W[k,c,o]
