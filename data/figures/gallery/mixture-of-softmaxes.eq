# A mixture of softmaxes (Yang et al., arXiv 1711.03953)
H : f32[b=64, d=280]
param G : f32[d, k=15]
param W : f32[d, k, e=280]
param U : f32[e, v=10000]
Q[b,k] = softmax[k](H[b,d] G[d,k])
Z[b,k,e] = tanh(H[b,d] W[d,k,e])
P[b,k,v] = softmax[v](Z[b,k,e] U[e,v])
Y[b,v] = Q[b,k] P[b,k,v]
