A : bf16[k=1000, a=515]
B : bf16[b=777, k]
C[a,b] = A[k,a] B[b,k]
