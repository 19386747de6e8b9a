X : f16[b=5, g=8, c=12, s=1001]
Y[b,g,c,s] = layernorm[c,s, eps=1e-5](X[b,g,c,s])
