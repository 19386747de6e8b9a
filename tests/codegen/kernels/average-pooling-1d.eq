X : f16[b=9, c=31, x=1026]
axis k = 4
Y[b,c,y=512] = mean[k](X[b,c,2 * y + k])
