# Causal attention of h heads on what is normalised, and the way around it
def attend(X[x,m]) -> Y[x,m]:
  param g : [m]
  param b : [m]
  param W_Q : [m, h=12, k=64]
  param b_Q : [h, k]
  param W_K : [m, h, k]
  param b_K : [h, k]
  param W_V : [m, h, k]
  param b_V : [h, k]
  param W_O : [h, k, m]
  param b_O : [m]
  N[x,m] = layernorm[m](X[x,m]) * g[m] + b[m]
  Q[x,h,k] = N[x,m] W_Q[m,h,k] + b_Q[h,k]
  K[y,h,k] = N[y,m] W_K[m,h,k] + b_K[h,k]
  V[y,h,k] = N[y,m] W_V[m,h,k] + b_V[h,k]
  S[h,x,y] = Q[x,h,k] K[y,h,k] * k^-0.5
  P[h,x,y] = softmax[y](where(y <= x, S[h,x,y], -inf))
  O[x,h,k] = P[h,x,y] V[y,h,k]
  Y[x,m] = X[x,m] + O[x,h,k] W_O[h,k,m] + b_O[m]

# Two linear maps with a GELU between, and the way around them
def think(X[x,m]) -> Y[x,m]:
  param g : [m]
  param b : [m]
  param W_1 : [m, f=3072]
  param b_1 : [f]
  param W_2 : [f, m]
  param b_2 : [m]
  N[x,m] = layernorm[m](X[x,m]) * g[m] + b[m]
  H[x,f] = gelu(N[x,m] W_1[m,f] + b_1[f])
  Y[x,m] = X[x,m] + H[x,f] W_2[f,m] + b_2[m]

def layer(X[x,m]) -> Y[x,m]:
  A[x,m] = attend(X)
  Y[x,m] = think(A)

# GPT-2 small (Radford et al., 2019): 12 layers, a context of 1024, 12 heads
T : i64[x=1024]
param E : f16[v=50257, m=768]
param P : f16[x, m]
param g : f16[m]
param b : f16[m]
X[x,m] = E[T[x],m] + P[x,m]
Z[x,m] = layer^12(X)
N[x,m] = layernorm[m](Z[x,m]) * g[m] + b[m]
L[x,v] = N[x,m] E[v,m]
