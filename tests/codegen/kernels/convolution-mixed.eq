X : f32[h=37, w=41, n=24]
W : f16[u=3, v=3, n, c=40]
Y[h,w,c] = relu(X[h+u-1,w+v-1,n] W[u,v,n,c])
-> Y
