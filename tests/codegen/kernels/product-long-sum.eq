A : f16[a=67, k=131072]
B : f16[k, b=71]
C[a,b] = A[a,k] B[k,b]
