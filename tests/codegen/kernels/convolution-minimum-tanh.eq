X : f16[b=3, u=34, v=34, c=16]
W : f16[i=3, j=3, c, o=48]
g : f16[o]
H[b,y=32,x=32,o] = X[b,y + i,x + j,c] W[i,j,c,o]
m[b,y,x] = min[o](H[b,y,x,o])
Y[b,y,x] = tanh(tanh(m[b,y,x]))
