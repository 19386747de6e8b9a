X : f16[b=5, c=33, h=57, w=61]
Y[b,c,h,w] = layernorm[h,w, eps=1e-5](X[b,c,h,w])
