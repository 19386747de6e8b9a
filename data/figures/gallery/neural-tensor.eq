# A neural tensor layer (Socher et al., 2013): how two entities are related
A : f32[b=64, d=100]
B : f32[b, e=100]
param W : f32[d, e, k=4]
param V : f32[d, k]
param U : f32[e, k]
param u : f32[k]
T[b,k,e] = A[b,d] W[d,e,k]
S[b,k] = T[b,k,e] B[b,e]
H[b,k] = tanh(S[b,k] + A[b,d] V[d,k] + B[b,e] U[e,k])
Y[b] = H[b,k] u[k]
