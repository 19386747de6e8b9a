X : f16[b=2, c=7, u=18, v=20, w=22]
axis i = 2
axis j = 2
axis k = 2
Y[b,c,x=9,y=10,z=11] = max[i,j,k](X[b,c,2 * x + i,2 * y + j,2 * z + k])
