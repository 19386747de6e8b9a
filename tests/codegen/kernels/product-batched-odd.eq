A : f16[n=37, a=129, k=255]
B : f16[n, k, b=65]
C[n,a,b] = A[n,a,k] B[n,k,b]
