X : f16[b=3, h=27, w=27, c=96]
W : f16[c, o=104]
Y[b,h,w,o] = X[b,h,w,c] W[c,o]
