X : f16[b=2, u=10, v=12, w=14, c=16]
W : f16[i=3, j=3, k=3, c, o=32]
Y[b,x=8,y=10,z=12,o] = X[b,x + i,y + j,z + k,c] W[i,j,k,c,o]
