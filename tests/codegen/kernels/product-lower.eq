A : f16[i=513, k=513]
B : f16[k, j=513]
L[i,k] = where(k <= i, A[i,k], 0)
C[i,j] = L[i,k] B[k,j]
