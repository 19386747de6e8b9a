# SPDX-License-Identifier: MIT
"""Single operators, after KernelBench's first level: equations, and what PyTorch does by default."""


def _map(body):
    return f"X : f32[x=16, m=16384]\nY[x,m] = {body}\n"


def _row(body, out="x"):
    return f"X : f32[x=4096, m=4096]\nY[{out}] = {body}\n"


#: name: (equations, PyTorch: a function of `torch` and the inputs in the order of the equations, as text)
OPERATORS = {
    "square_matmul": ("A : f16[i=4096, k=4096]\nB : f16[k, j=4096]\nC[i,j] = A[i,k] B[k,j]\n", "lambda torch, a, b: a @ b"),
    "tall_matmul": ("A : f16[i=32768, k=64]\nB : f16[k, j=1024]\nC[i,j] = A[i,k] B[k,j]\n", "lambda torch, a, b: a @ b"),
    "deep_matmul": ("A : f16[i=256, k=131072]\nB : f16[k, j=256]\nC[i,j] = A[i,k] B[k,j]\n", "lambda torch, a, b: a @ b"),
    "transposed_matmul": ("A : f16[k=4096, i=2048]\nB : f16[j=2048, k]\nC[i,j] = A[k,i] B[j,k]\n", "lambda torch, a, b: a.T @ b.T"),
    "batched_matmul": ("A : f16[n=128, i=128, k=256]\nB : f16[n, k, j=512]\nC[n,i,j] = A[n,i,k] B[n,k,j]\n", "lambda torch, a, b: torch.bmm(a, b)"),
    "matrix_vector": ("A : f32[i=256, k=131072]\nB : f32[k]\nC[i] = A[i,k] B[k]\n", "lambda torch, a, b: a @ b"),
    "diagonal_matmul": ("A : f32[i=4096]\nB : f32[i, j=4096]\nC[i,j] = A[i] B[i,j]\n", "lambda torch, a, b: torch.diag(a) @ b"),
    "relu": (_map("relu(X[x,m])"), "lambda torch, x: torch.relu(x)"),
    "leaky_relu": (_map("where(X[x,m] > 0, X[x,m], 0.01 * X[x,m])"), "lambda torch, x: torch.nn.functional.leaky_relu(x)"),
    "sigmoid": (_map("sigmoid(X[x,m])"), "lambda torch, x: torch.sigmoid(x)"),
    "tanh": (_map("tanh(X[x,m])"), "lambda torch, x: torch.tanh(x)"),
    "swish": (_map("silu(X[x,m])"), "lambda torch, x: torch.nn.functional.silu(x)"),
    "gelu": (_map("gelu(X[x,m])"), "lambda torch, x: torch.nn.functional.gelu(x)"),
    "softplus": (_map("log(1 + exp(X[x,m]))"), "lambda torch, x: torch.nn.functional.softplus(x)"),
    "softsign": (_map("X[x,m] / (1 + abs(X[x,m]))"), "lambda torch, x: x / (1 + torch.abs(x))"),
    "hard_tanh": (_map("min(max(X[x,m], -1), 1)"), "lambda torch, x: torch.nn.functional.hardtanh(x)"),
    "softmax": (_row("softmax[m](X[x,m])", "x,m"), "lambda torch, x: torch.softmax(x, 1)"),
    "log_softmax": (_row("X[x,m] - logsumexp[m](X[x,m])", "x,m"), "lambda torch, x: torch.log_softmax(x, 1)"),
    "rms_norm": (_row("rmsnorm[m](X[x,m])", "x,m"), "lambda torch, x: x / torch.sqrt(torch.mean(x ** 2, 1, True) + 1e-5)"),
    "layer_norm": (_row("layernorm[m](X[x,m])", "x,m"), "lambda torch, x: torch.nn.functional.layer_norm(x, x.shape[-1:])"),
    "l2_norm": (_row("l2norm[m](X[x,m])", "x,m"), "lambda torch, x: x / torch.linalg.norm(x, dim=1, keepdim=True)"),
    "sum": (_row("sum[m](X[x,m])"), "lambda torch, x: torch.sum(x, 1)"),
    "mean": (_row("mean[m](X[x,m])"), "lambda torch, x: torch.mean(x, 1)"),
    "max": (_row("max[m](X[x,m])"), "lambda torch, x: torch.amax(x, 1)"),
    "mse_loss": ("X : f32[x=4096, m=4096]\nT : f32[x, m]\nD[x] = mean[m]((X[x,m] - T[x,m])^2)\nY = mean[x](D[x])\n",
                 "lambda torch, x, t: torch.mean((x - t) ** 2)"),
    "cross_entropy": ("X : f32[x=4096, m=1024]\nT : i64[x]\nL[x] = logsumexp[m](X[x,m]) - X[x,T[x]]\nY = mean[x](L[x])\n",
                      "lambda torch, x, t: torch.nn.functional.cross_entropy(x, t)"),
    "attention": ("Q : f16[h=64, q=1024, d=128]\nK : f16[h, x=1024, d]\nV : f16[h, x, d]\nS[h,q,x] = Q[h,q,d] K[h,x,d] * d^-0.5\n"
                  "P[h,q,x] = softmax[x](S[h,q,x])\nO[h,q,d] = P[h,q,x] V[h,x,d]\n",
                  "lambda torch, q, k, v: torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None])[0]"),
}
