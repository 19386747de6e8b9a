A : f16[n=8, i=33, j=47, l=256]
B : f16[l, k=96]
C[n,i,j,k] = A[n,i,j,l] B[l,k]
