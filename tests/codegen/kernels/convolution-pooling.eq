X : f16[b=3, u=34, v=34, c=16]
W : f16[i=3, j=3, c, o=48]
axis r = 2
axis s = 2
H[b,y=32,x=32,o] = relu(X[b,y + i,x + j,c] W[i,j,c,o])
P[b,p=16,q=16,o] = max[r,s](H[b,2 * p + r,2 * q + s,o])
