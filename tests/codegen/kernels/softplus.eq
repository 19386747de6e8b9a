X : f32[n=129, m=1001]
Y[n,m] = log(1 + exp(-abs(X[n,m]))) + relu(X[n,m])
