X : f16[b=3, u=31, v=29, c=24]
W : f16[i=3, j=5, c, o=40]
Y[b,y=29,x=25,o] = X[b,y + i,x + j,c] W[i,j,c,o]
