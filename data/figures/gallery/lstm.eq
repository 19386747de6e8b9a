# A step of LSTM (Hochreiter and Schmidhuber, 1997), with its gates as an axis
X : f32[b=64, d=128]
H : f32[b, m=256]
C : f32[b, m]
param W : f32[d, g=4, m]
param U : f32[n=m, g, m]
param a : f32[g, m]
Z[b,g,m] = X[b,d] W[d,g,m] + H[b,n] U[n,g,m] + a[g,m]
D[b,m] = sigmoid(Z[b,1,m]) C[b,m] + sigmoid(Z[b,0,m]) tanh(Z[b,2,m])
Y[b,m] = sigmoid(Z[b,3,m]) tanh(D[b,m])
