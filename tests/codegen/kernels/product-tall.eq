A : f16[a=16411, k=61]
B : f16[k, b=53]
C[a,b] = A[a,k] B[k,b]
