"""Writes golden.json: ids and vectors of some texts, computed in double precision.

    python reference.py MODEL_FOLDER > golden.json

MODEL_FOLDER holds model.safetensors and tokenizer.json of all-MiniLM-L6-v2. It needs numpy
and tokenizers.
"""
import json
import math
import struct
import sys

import numpy as np
from tokenizers import Tokenizer

TEXTS = [
    "The ferry leaves at nine.",
    "curb weight of the car",
    "kerb mass of the vehicle",
    "a recipe for apple cake",
    "",
    "tide tables",
    "How do I undo the last commit without losing my changes?",
    "Größen, Preise und Öffnungszeiten: Ærøskøbing, naïve façade, İstanbul, ΣΊΣΥΦΟΣ.",
    "海の時刻表 and 한국어 mixed with English; ภาษาไทย",
    "e-mail: someone@example.org, $1,234.50 (≈ 1.2 kg) — “quoted”…",
    "--no-cache=true /etc/hosts x86_64 v1.2.3-rc.4 __init__",
    "🚢🚢 ships\u200b and\u00ad soft\u00a0spaces\x07",
    "antidisestablishmentarianism " + "x" * 120,
    "The harbour office opens at eight and closes at five. " * 6,
    "A long text about ships, tides and harbours. " * 60,
]
LIMIT, HEADS = 256, 12

folder = sys.argv[1]
raw = open(folder + "/model.safetensors", "rb").read()
(n,) = struct.unpack("<Q", raw[:8])
header = json.loads(raw[8 : 8 + n])


def tensor(name):
    at = header[name]
    begin, end = at["data_offsets"]
    data = np.frombuffer(raw[8 + n + begin : 8 + n + end], "<f4")
    return data.reshape(at["shape"]).astype(np.float64)


def linear(x, name):
    return x @ tensor(name + ".weight").T + tensor(name + ".bias")


def norm(x, name):
    x = x - x.mean(-1, keepdims=True)
    x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
    return x * tensor(name + ".LayerNorm.weight") + tensor(name + ".LayerNorm.bias")


erf = np.vectorize(math.erf)


def embed(ids):
    x = tensor("embeddings.word_embeddings.weight")[ids]
    x = x + tensor("embeddings.position_embeddings.weight")[: len(ids)]
    x = norm(x + tensor("embeddings.token_type_embeddings.weight")[0], "embeddings")
    size = x.shape[1] // HEADS
    for i in range(6):
        at = f"encoder.layer.{i}."
        q, k, v = (
            linear(x, at + "attention.self." + name).reshape(len(ids), HEADS, size).transpose(1, 0, 2)
            for name in ("query", "key", "value")
        )
        p = q @ k.transpose(0, 2, 1) / math.sqrt(size)
        p = np.exp(p - p.max(-1, keepdims=True))
        p = p / p.sum(-1, keepdims=True)
        a = (p @ v).transpose(1, 0, 2).reshape(len(ids), -1)
        x = norm(x + linear(a, at + "attention.output.dense"), at + "attention.output")
        h = linear(x, at + "intermediate.dense")
        h = h * 0.5 * (1 + erf(h / math.sqrt(2)))
        x = norm(x + linear(h, at + "output.dense"), at + "output")
    v = x.mean(0)
    return v / np.sqrt((v * v).sum())


tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
tokenizer.no_padding()
tokenizer.enable_truncation(LIMIT)
out = []
for text in TEXTS:
    ids = tokenizer.encode(text).ids
    vector = [round(float(f), 7) for f in embed(ids)]
    out.append(json.dumps({"text": text, "ids": ids, "vector": vector}))
print("[\n" + ",\n".join(out) + "\n]")
