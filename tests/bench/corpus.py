#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Models that nobody tuned for, small and with random weights: which are imported, understood, right, optimised and verified. The last line has the rates.

    HEDDLE=build/src/heddle PYTHONPATH=codegen/python tests/bench/corpus.py [--optimise] [--device cuda] [--json FILE] [NAME…]

Needs PyTorch; the models of transformers, torchvision and timm are tried where those are installed; --venv DIR makes a virtual environment with all of
them first. Each model has a process of its own, of bounded memory and time. `imported`: a document was made; `understood`: it has no box; `right`: what is understood evaluates to what the model gives. With
--optimise: `optimised`: heddle.optimise gave a module with at least one part by kernels, whose results are the model's; `verified`: every part was.
It fails where a model is not imported, where what is understood is not right, and where fewer than 94 of 100 are understood.
"""

import argparse
import contextlib
import importlib.util
import io
import json
import multiprocessing
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM = os.environ.get("HEDDLE", "heddle")
BYTES, SECONDS = 6 << 30, 600
LEAST = .94  # of all models, understood
PACKAGES = ("torch", "torchvision", "timm", "transformers")
PRELOADED = (*PACKAGES, "torch.export", "torch._dynamo", "transformers.modeling_utils", "heddle_torch")
TOLERANCE = 1e-3  # of f32 through a whole model, against the evaluator's f64
STAGES = ("imported", "understood", "right", "optimised", "verified")
SMALL = {"vocab_size": 60, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4}
DECODER = {**SMALL, "num_key_value_heads": 2, "max_position_embeddings": 64, "pad_token_id": 0}
IMAGES = {**{k: v for k, v in SMALL.items() if k != "vocab_size"}, "image_size": 16, "patch_size": 4}


# --- models of transformers -------------------------------------------------------------------------------------

def words(count=9):
    import torch
    return torch.arange(count)[None] * 7 % 59 + 1


def image(size=16, channels=3):
    import torch
    return torch.randn(1, channels, size, size)


# class of the model, class of its configuration, the configuration, what it is given
DECODERS = {name: (f"{name}Model", f"{name}Config", {**DECODER, **more}, words) for name, more in {
    "Llama": {}, "Mistral": {"sliding_window": 4}, "Qwen2": {}, "Qwen3": {"head_dim": 8}, "Gemma": {"head_dim": 8}, "Gemma2": {"head_dim": 8, "sliding_window": 4},
    "Phi": {"partial_rotary_factor": .5}, "Phi3": {}, "Olmo": {}, "Olmo2": {}, "Cohere": {}, "Starcoder2": {}, "StableLm": {}, "Granite": {},
    "Glm": {"head_dim": 8}, "SmolLM3": {}, "Helium": {"head_dim": 8}, "Nemotron": {},
    "Mixtral": {"num_local_experts": 4}, "Qwen2Moe": {"num_experts": 4, "moe_intermediate_size": 16, "shared_expert_intermediate_size": 16},
}.items()}
ENCODERS = {name: (f"{name}Model", f"{name}Config", {**SMALL, "max_position_embeddings": 64, "pad_token_id": 0, **more}, words) for name, more in {
    "Bert": {}, "Roberta": {}, "Electra": {"embedding_size": 32}, "Albert": {"embedding_size": 16}, "Deberta": {}, "MPNet": {}, "RoFormer": {"embedding_size": 32},
    "ModernBert": {"global_attn_every_n_layers": 2, "local_attention": 4}, "Esm": {"mask_token_id": 1, "position_embedding_type": "rotary"},
}.items()}
PIXELS = {name: (f"{name}Model", f"{name}Config", {**IMAGES, **more}, image) for name, more in {
    "ViT": {}, "DeiT": {}, "Dinov2": {}, "Beit": {"use_relative_position_bias": True}, "ViTMSN": {},
}.items()}
GPTS = {
    "GPT2": ("GPT2Model", "GPT2Config", {"vocab_size": 60, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 32}, words),
    "GPTNeoX": ("GPTNeoXModel", "GPTNeoXConfig", {**SMALL, "max_position_embeddings": 64, "rotary_pct": .25}, words),
    "GPTJ": ("GPTJModel", "GPTJConfig", {"vocab_size": 60, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 32, "rotary_dim": 4}, words),
    "GPTNeo": ("GPTNeoModel", "GPTNeoConfig", {"vocab_size": 60, "hidden_size": 32, "num_layers": 2, "num_heads": 4, "window_size": 4,
                                               "max_position_embeddings": 32, "attention_types": [[["global", "local"], 1]]}, words),
    "OPT": ("OPTModel", "OPTConfig", {**SMALL, "ffn_dim": 48, "word_embed_proj_dim": 32, "max_position_embeddings": 32}, words),
    "Bloom": ("BloomModel", "BloomConfig", {"vocab_size": 60, "hidden_size": 32, "n_layer": 2, "n_head": 4}, words),
    "Falcon": ("FalconModel", "FalconConfig", {**SMALL, "new_decoder_architecture": False}, words),
    "Mamba": ("MambaModel", "MambaConfig", {"vocab_size": 60, "hidden_size": 32, "num_hidden_layers": 2, "state_size": 4, "use_mambapy": False}, words),
    "DistilBert": ("DistilBertModel", "DistilBertConfig", {"vocab_size": 60, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48,
                                                           "max_position_embeddings": 64}, words),
    "Swin": ("SwinModel", "SwinConfig", {"image_size": 16, "patch_size": 2, "embed_dim": 8, "depths": [2, 2], "num_heads": [2, 2], "window_size": 4}, image),
    "ConvNext": ("ConvNextModel", "ConvNextConfig", {"hidden_sizes": [8, 8, 16, 16], "depths": [1, 1, 1, 1]}, lambda: image(32)),
    "ResNetHF": ("ResNetModel", "ResNetConfig", {"embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1], "layer_type": "basic"}, lambda: image(32)),
    "Segformer": ("SegformerModel", "SegformerConfig", {"hidden_sizes": [8, 8, 16, 16], "depths": [1, 1, 1, 1], "num_attention_heads": [1, 1, 2, 2]}, lambda: image(32)),
    "MobileViT": ("MobileViTModel", "MobileViTConfig", {"image_size": 64, "hidden_sizes": [16, 16, 16], "neck_hidden_sizes": [8, 8, 8, 8, 8, 8, 16],
                                                        "num_attention_heads": 2}, lambda: image(64)),
    "Whisper": ("WhisperEncoder", "WhisperConfig", {"d_model": 32, "encoder_layers": 2, "encoder_attention_heads": 4, "encoder_ffn_dim": 48,
                                                    "num_mel_bins": 8, "max_source_positions": 12}, None),
}


def hugging_face(model, configuration, sizes, given):
    def make():
        import torch
        import transformers
        found = getattr(transformers, model, None)
        if found is None:
            found = getattr(importlib.import_module(f"transformers.models.{model.removesuffix('Encoder').lower()}.modeling_{model.removesuffix('Encoder').lower()}"), model)
        made = found(getattr(transformers, configuration)(**sizes))
        return made, (given() if given else torch.randn(1, 8, 24),), {}
    return make


def t5():
    import transformers
    sizes = {"vocab_size": 60, "d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4}
    return transformers.T5Model(transformers.T5Config(**sizes)), (), {"input_ids": words(), "decoder_input_ids": words(5)}


def bart():
    import transformers
    sizes = {"vocab_size": 60, "d_model": 32, "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4,
             "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "max_position_embeddings": 32, "pad_token_id": 0}
    return transformers.BartModel(transformers.BartConfig(**sizes)), (), {"input_ids": words(), "decoder_input_ids": words(5)}


def clip():
    import transformers
    text = {**SMALL, "max_position_embeddings": 16, "bos_token_id": 1, "eos_token_id": 2}
    sizes = transformers.CLIPConfig(text_config=text, vision_config=IMAGES, projection_dim=16)
    return transformers.CLIPModel(sizes), (), {"input_ids": words(), "pixel_values": image()}


def bert_with_a_mask():
    import torch
    import transformers
    mask = torch.ones(1, 9, dtype=torch.int64)
    mask[:, 6:] = 0
    return transformers.BertModel(transformers.BertConfig(**SMALL, max_position_embeddings=32)), (), {"input_ids": words(), "attention_mask": mask}


def llama_with_logits():
    import transformers
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(**DECODER)), (), {"input_ids": words()}


# --- models of torchvision and timm -----------------------------------------------------------------------------------

def torchvision_of(name, size):
    def make():
        import torchvision
        return torchvision.models.get_model(name, weights=None, num_classes=7), (image(size),), {}
    return make


def timm_of(name, size, **more):
    def make():
        import timm
        return timm.create_model(name, num_classes=7, **more), (image(size),), {}
    return make


TORCHVISION = {"resnet18": 32, "resnet50": 32, "mobilenet_v2": 32, "mobilenet_v3_small": 32, "shufflenet_v2_x0_5": 32, "squeezenet1_1": 48,
               "densenet121": 32, "efficientnet_b0": 32, "regnet_y_400mf": 32, "mnasnet0_5": 32, "googlenet": 64, "vgg11": 32, "alexnet": 64,
               "convnext_tiny": 32, "swin_t": 32, "maxvit_t": 224, "inception_v3": 96}
TIMM = {"vit_tiny_patch16_224": 224, "mixer_s32_224": 224, "resmlp_12_224": 224, "ghostnet_050": 64, "levit_128s": 224, "mobileone_s0": 64,
        "poolformer_s12": 64, "convmixer_768_32": 56, "res2net50_14w_8s": 64, "hardcorenas_a": 64, "edgenext_xx_small": 64, "fastvit_t8": 64}


# --- models of our own ------------------------------------------------------------------------------------------------

def lstm():
    import torch

    class Words(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.lstm, self.head = torch.nn.Embedding(60, 8), torch.nn.LSTM(8, 12, 2, batch_first=True), torch.nn.Linear(12, 5)

        def forward(self, ids):
            return self.head(self.lstm(self.words(ids))[0])
    return Words(), (words(),), {}


def gru():
    import torch

    class Reader(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.gru, self.head = torch.nn.GRU(8, 12, batch_first=True, bidirectional=True), torch.nn.Linear(24, 5)

        def forward(self, x):
            return self.head(self.gru(x)[0])
    return Reader(), (torch.randn(2, 6, 8),), {}


def unet_block():
    import torch
    from torch import nn

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm, self.down, self.mid, self.up = nn.GroupNorm(4, 8), nn.Conv2d(8, 16, 3, 2, 1), nn.Conv2d(16, 16, 3, 1, 1), nn.ConvTranspose2d(16, 8, 2, 2)
            self.time, self.last = nn.Linear(6, 16), nn.Conv2d(16, 3, 1)

        def forward(self, x, t):
            y = self.down(nn.functional.silu(self.norm(x)))
            y = y + self.mid(nn.functional.silu(y + self.time(t)[:, :, None, None]))
            return self.last(torch.cat([x, self.up(y)], 1))
    return Block(), (torch.randn(2, 8, 8, 8), torch.randn(2, 6)), {}


def cache():
    import torch
    from torch import nn

    class Step(nn.Module):
        """Attention of one word, whose keys and values are written into buffers."""

        def __init__(self):
            super().__init__()
            self.qkv = nn.Linear(16, 48)
            self.register_buffer("k", torch.zeros(1, 8, 16))
            self.register_buffer("v", torch.zeros(1, 8, 16))

        def forward(self, x, place):
            q, k, v = self.qkv(x).chunk(3, -1)
            self.k.index_copy_(1, place, k)
            self.v.index_copy_(1, place, v)
            kept = torch.arange(8) <= place
            return nn.functional.scaled_dot_product_attention(q, self.k, self.v, attn_mask=kept[None, None])
    return Step(), (torch.randn(1, 1, 16), torch.tensor([3])), {}


def dictionary():
    import torch
    from torch import nn

    class Pair(nn.Module):
        def __init__(self):
            super().__init__()
            self.one, self.two = nn.Linear(4, 6), nn.Linear(5, 6)

        def forward(self, given, *, scale):
            return {"sum": (self.one(given["a"]) + self.two(given["b"])) * scale, "most": self.one(given["a"]).argmax(-1)}
    return Pair(), ({"a": torch.randn(3, 4), "b": torch.randn(3, 5)},), {"scale": torch.tensor(2.)}


def own_encoder():
    import torch
    layer = torch.nn.TransformerEncoderLayer(32, 4, 48, batch_first=True)
    return torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False), (torch.randn(2, 7, 32),), {}


MODELS = {
    **{name: hugging_face(*row) for name, row in {**DECODERS, **ENCODERS, **PIXELS, **GPTS}.items()},
    "T5": t5, "Bart": bart, "CLIP": clip, "Bert-mask": bert_with_a_mask, "Llama-logits": llama_with_logits,
    **{name: torchvision_of(name, size) for name, size in TORCHVISION.items()},
    **{f"timm-{name}": timm_of(name, size) for name, size in TIMM.items()},
    "lstm": lstm, "gru": gru, "unet-block": unet_block, "kv-cache": cache, "dictionary": dictionary, "transformer-encoder": own_encoder,
}


# --- one model --------------------------------------------------------------------------------------------------------

def tensors_of(result):
    import torch
    from torch.utils._pytree import tree_leaves
    return [leaf for leaf in tree_leaves(dict(result) if hasattr(result, "keys") else result) if isinstance(leaf, torch.Tensor)]


def far_off(found, wanted):
    """How far off the worst result is, of its norm."""
    import torch
    if [tuple(o.shape) for o in found] != [tuple(o.shape) for o in wanted]:
        return f"shapes {[tuple(o.shape) for o in found]} and not {[tuple(o.shape) for o in wanted]}"
    pairs = [(torch.as_tensor(f).double(), w.double()) for f, w in zip(found, wanted)]
    return max([((f - w).norm() / w.norm().clamp(min=1e-30)).item() for f, w in pairs], default=0.)


def evaluate(folder, model, arguments, keywords, row, names):
    """What the document evaluates to, against what the model gives."""
    import numpy
    import torch
    given = []
    for i, (name, array) in enumerate(zip(names, tensors_of([arguments, keywords]))):
        numpy.save(folder / f"in{i}.npy", array.numpy())
        given += ["--in", f"{name}={folder / f'in{i}.npy'}"]
    told = subprocess.run([PROGRAM, "evaluate", folder / "m.ncd", "--weights", folder / "m.safetensors", *given, "--json"], capture_output=True, text=True, check=False)
    if told.returncode != 0:
        row["wrong"] = told.stderr.strip().splitlines()[0][:300] if told.stderr.strip() else f"status {told.returncode}"
        return
    outputs = [each["name"] for each in json.loads(told.stdout)["outputs"]]
    ordered = sorted((o for o in outputs if re.fullmatch(r"output(_\d+)?", o)), key=lambda o: int(o.rpartition("_")[2]) if "_" in o else 0)
    wanted = [part for i, name in enumerate(ordered) for part in ("--out", f"{name}={folder / f'out{i}.npy'}")]
    subprocess.run([PROGRAM, "evaluate", folder / "m.ncd", "--weights", folder / "m.safetensors", *given, *wanted], capture_output=True, check=True)
    found = [numpy.load(folder / f"out{i}.npy") for i in range(len(ordered))]
    with torch.no_grad():
        row["off"] = far_off([torch.as_tensor(f) for f in found], tensors_of(model(*arguments, **keywords)))
    row["right"] = not isinstance(row["off"], str) and row["off"] < TOLERANCE


def import_one(folder, model, arguments, keywords, row):
    from heddle_torch import save, trace
    begin = time.monotonic()
    traced = trace(model, arguments, keywords=keywords)
    row["trace_s"] = time.monotonic() - begin
    save(traced, folder / "m.onnx", folder / "m.safetensors")
    run = subprocess.run([PROGRAM, "import", folder / "m.onnx", "-o", folder / "m.ncd", "--json"], capture_output=True, text=True, check=False)
    row["import_s"] = time.monotonic() - begin
    if run.returncode != 0:
        row["failed"] = run.stderr.strip()[:300]
        return
    told = json.loads(run.stdout)
    checked = subprocess.run([PROGRAM, "check", folder / "m.ncd"], capture_output=True, text=True, check=False)
    row["imported"] = checked.returncode == 0
    if not row["imported"]:
        row["failed"] = f"the document has errors: {checked.stdout.strip()[:200]}"
        return
    row["boxes"] = sorted({f"{each['operator']}: {each['reason']}" for each in told["opaque"]})
    row["understood"] = not told["opaque"]
    if row["understood"]:
        evaluate(folder, model, arguments, keywords, row, list(traced.inputs.values()))


def optimise_one(model, arguments, keywords, row, device):
    import heddle
    import torch
    from torch.utils._pytree import tree_map
    model = model.to(device)
    arguments, keywords = tree_map(lambda leaf: leaf.to(device) if isinstance(leaf, torch.Tensor) else leaf, (arguments, keywords))
    begin = time.monotonic()
    fast = heddle.optimise(model, *arguments, heddle_options=heddle.Options(gpu="a100" if device == "cpu" else None, program=PROGRAM), **keywords)
    row["optimise_s"] = time.monotonic() - begin
    parts = fast.heddle_report.parts
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        off = far_off(tensors_of(fast(*arguments, **keywords)), tensors_of(model(*arguments, **keywords)))
    made = [part for part in parts if part.by == "heddle"]
    row["parts"], row["by_kernels"] = len(parts), len(made)
    row["left"] = sorted({str(part.reason)[:200] for part in parts if part.reason})
    row["unverified"] = sorted({part.verification[:200] for part in made if part.verification != "verified"})
    row["optimised"] = bool(made) and not isinstance(off, str) and off < TOLERANCE
    row["verified"] = row["optimised"] and not row["unverified"]


def one(name, optimise, device):
    """What becomes of one model. A package that is not there is no failure."""
    import torch
    torch.manual_seed(1)
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    row = {"name": name}
    try:
        model, arguments, keywords = MODELS[name]()
    except ImportError as error:
        return {"name": name, "skipped": str(error)}
    model.eval()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
        try:
            import_one(Path(folder), model, arguments, keywords, row)
        except Exception as error:  # whatever it is, it is this model's row
            row["failed"] = f"{type(error).__name__}: {error}"[:300]
        if optimise:
            try:
                optimise_one(model, arguments, keywords, row, device)
            except Exception as error:
                row["optimise_failed"] = f"{type(error).__name__}: {error}"[:300]
    return row


# --- all of them ------------------------------------------------------------------------------------------------------

def bound():
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))


def work(name, options, sender):
    os.setsid()  # what it starts ends with it
    if options.device == "cpu":
        bound()
    try:
        row = one(name, options.optimise, options.device)
    except Exception as error:  # whatever making it raises
        row = {"name": name, "failed": f"{type(error).__name__}: {error}"[:300]}
    sender.send(row)


def apart(name, options, context):
    """The row of a model, from a process of its own."""
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=work, args=(name, options, sender))
    process.start()
    sender.close()
    row = {"name": name, "failed": f"not done after {options.seconds} s"}
    try:
        if receiver.poll(options.seconds):
            row = receiver.recv()
            process.join(10)
    except EOFError:
        process.join()
        row["failed"] = f"status {process.exitcode}"
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.join()
    return row


def processes():
    """Makes processes that have the packages already: importing them takes longer than most models."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([name for name in PRELOADED if importlib.util.find_spec(name.split(".")[0]) is not None])
    return context


def told(row):
    if "skipped" in row:
        return f"{row['name']:28} skipped: {row['skipped']}"
    words_ = [stage for stage in STAGES if row.get(stage)]
    why = [row[key] for key in ("failed", "wrong", "optimise_failed") if row.get(key)] + row.get("boxes", [])
    if row.get("understood") and not row.get("right") and "wrong" not in row:
        why.append(f"off by {row.get('off')}")
    if not row.get("optimised"):
        why += row.get("left", [])
    elif not row.get("verified"):
        why += row["unverified"]
    return f"{row['name']:28} {' '.join(words_)}{': ' if why else ''}{'; '.join(map(str, why))}"


def versions():
    from importlib import metadata
    found = []
    for package in PACKAGES:
        with contextlib.suppress(metadata.PackageNotFoundError):
            found.append(f"{package} {metadata.version(package)}")
    return ", ".join(found)


def enter(folder):
    """Goes on in the virtual environment, which is made where it is not there. Gives 77 where it cannot be made."""
    python = Path(folder) / "bin" / "python"
    if Path(sys.prefix).resolve() == Path(folder).resolve():
        return 0
    commands = [] if python.exists() else [[sys.executable, "-m", "venv", folder], [python, "-m", "pip", "install", "--quiet", *PACKAGES]]
    for command in commands:
        if subprocess.run(command, check=False).returncode != 0:
            print("skipped: the packages cannot be installed")
            return 77
    os.execv(python, [python, __file__, *sys.argv[1:]])


def faults(tried):
    """What must not be, a line each."""
    found = [f"{row['name']}: not right" for row in tried if row.get("understood") and not row.get("right")]
    found += [f"{row['name']}: {row.get('failed', 'not imported')}" for row in tried if not row.get("imported")]
    understood = sum(bool(row.get("understood")) for row in tried)
    return found + ([f"only {understood} are understood"] if understood < LEAST * len(tried) else [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these models")
    parser.add_argument("--optimise", action="store_true", help="optimise each of them, too")
    parser.add_argument("--device", default="cpu", help="where what is optimised runs: cpu (by PyTorch itself) or cuda (by the kernels)")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="how long one model may take by the clock: more on a busy machine")
    parser.add_argument("--jobs", type=int, default=1, help="models at a time")
    parser.add_argument("--venv", metavar="DIR", help="run in this virtual environment, and make it where it is not there")
    parser.add_argument("--json", metavar="FILE", help="write all that was found there")
    options = parser.parse_args()
    if options.venv and enter(options.venv) != 0:
        return 77
    if importlib.util.find_spec("torch") is None:
        print("skipped: PyTorch is not installed")
        return 77
    print(versions())
    rows, context = [], processes()
    with ThreadPoolExecutor(options.jobs) as pool:
        for row in pool.map(lambda name: apart(name, options, context), options.names or MODELS):
            rows.append(row)
            print(told(row), flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps({"versions": versions(), "models": rows}, indent=1), encoding="utf-8")
    tried = [row for row in rows if "skipped" not in row]
    stages = STAGES if options.optimise else STAGES[:3]
    wrong = faults(tried)
    print("".join(f"fault: {each}\n" for each in wrong), end="")
    print(f"{len(tried)} models: " + ", ".join(f"{stage} {sum(bool(row.get(stage)) for row in tried)}" for stage in stages))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
