"""The reference of the local transformers: their forward passes in plain numpy, written from the papers and the layout
of the files, with nothing of the crate or of a framework in them. All is reckoned in 64 bits.

    python3 reference.py                  makes the three tiny models and tiny.json
    python3 reference.py --minilm FOLDER  makes minilm.json from a folder with all-MiniLM-L6-v2

Needs numpy (made with 2.4.6 under Python 3.11).
"""

import argparse
import json
import math
import pathlib
import struct
import unicodedata

import numpy as np

HERE = pathlib.Path(__file__).parent
WORDS = "embeddings.word_embeddings.weight"
KINDS = "embeddings.token_type_embeddings.weight"

# The texts in many scripts, long and short, with case, accents, numbers, code and what the vocabulary lacks.
TEXTS = [
    "This is an example sentence",
    "How do I install the package?",
    "The tax authority issued a corrected assessment on 3 March 2024; the deadline for an appeal is one month.",
    "Élan vital, naïve CAFÉ: Größe übermäßig.",
    "如何安装这个软件包？请先阅读说明。",
    "패키지를 어떻게 설치하나요?",
    "Это предложение написано по-русски.",
    "كيف أقوم بتثبيت الحزمة؟",
    "fn main() { let x: Vec<u32> = (0..10).map(|i| i * 2).collect(); }",
    "antidisestablishmentarianism " * 12,
]


def erf(x):
    return np.vectorize(math.erf)(x)


def norm(x, weight, bias, epsilon):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * weight + bias


def attention(q, k, v, heads):
    """Softmax(QKᵀ/√d)V, head by head (Attention Is All You Need, 3.2)."""
    size = q.shape[1] // heads
    out = []
    for head in range(heads):
        part = slice(head * size, (head + 1) * size)
        scores = q[:, part] @ k[:, part].T / math.sqrt(size)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        out.append(scores / scores.sum(-1, keepdims=True) @ v[:, part])
    return np.concatenate(out, 1)


def bert(t, config, ids):
    """BERT and, with other places, RoBERTa: the last layer's vector of each token."""
    heads, epsilon = config["num_attention_heads"], config["layer_norm_eps"]
    first = 0 if config["model_type"] == "bert" else config["pad_token_id"] + 1

    def dense(x, name):
        return x @ t[name + ".weight"].T + t[name + ".bias"]

    def layer_norm(x, name):
        return norm(x, t[name + ".weight"], t[name + ".bias"], epsilon)

    places = np.arange(first, first + len(ids))
    x = t[WORDS][ids] + t["embeddings.position_embeddings.weight"][places] + t[KINDS][0]
    x = layer_norm(x, "embeddings.LayerNorm")
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}."
        q, k, v = (dense(x, f"{layer}attention.self.{part}") for part in ("query", "key", "value"))
        x = layer_norm(x + dense(attention(q, k, v, heads), layer + "attention.output.dense"), layer + "attention.output.LayerNorm")
        inner = dense(x, layer + "intermediate.dense")
        inner = inner * (1 + erf(inner / math.sqrt(2))) / 2
        x = layer_norm(x + dense(inner, layer + "output.dense"), layer + "output.LayerNorm")
    return x


def nomic(t, config, ids):
    """Nomic's BERT: rotary places (RoFormer; the halves of a head are paired), SwiGLU, no biases."""
    width, heads, epsilon = config["n_embd"], config["n_head"], config["layer_norm_epsilon"]
    size = width // heads

    def rotate(x):
        out = np.empty_like(x)
        for place in range(len(ids)):
            for head in range(heads):
                for i in range(size // 2):
                    angle = place / config["rotary_emb_base"] ** (2 * i / size)
                    a, b = head * size + i, head * size + i + size // 2
                    out[place, a] = x[place, a] * math.cos(angle) - x[place, b] * math.sin(angle)
                    out[place, b] = x[place, b] * math.cos(angle) + x[place, a] * math.sin(angle)
        return out

    def layer_norm(x, name):
        return norm(x, t[name + ".weight"], t[name + ".bias"], epsilon)

    x = layer_norm(t[WORDS][ids] + t[KINDS][0], "emb_ln")
    for number in range(config["n_layer"]):
        layer = f"encoder.layers.{number}."
        q, k, v = np.split(x @ t[layer + "attn.Wqkv.weight"].T, 3, 1)
        attended = attention(rotate(q), rotate(k), v, heads) @ t[layer + "attn.out_proj.weight"].T
        x = layer_norm(x + attended, layer + "norm1")
        gate = x @ t[layer + "mlp.fc12.weight"].T
        inner = (x @ t[layer + "mlp.fc11.weight"].T) * gate / (1 + np.exp(-gate))
        x = layer_norm(x + inner @ t[layer + "mlp.fc2.weight"].T, layer + "norm2")
    return x


def pooled(hidden, mode):
    vector = hidden[0] if mode == "cls" else hidden.mean(0)
    return vector / np.linalg.norm(vector)


def read_safetensors(path):
    blob = path.read_bytes()
    (length,) = struct.unpack("<Q", blob[:8])
    header = json.loads(blob[8 : 8 + length])
    out = {}
    for name, place in header.items():
        if name != "__metadata__" and place["dtype"] == "F32":
            start, end = (8 + length + offset for offset in place["data_offsets"])
            out[name] = np.frombuffer(blob[start:end], "<f4").reshape(place["shape"]).astype(np.float64)
    return out


def write_safetensors(path, tensors, dtype):
    header, blob = {}, b""
    for name, values in tensors.items():
        raw = values.astype("<" + {"F32": "f4", "F16": "f2"}[dtype]).tobytes()
        header[name] = {"dtype": dtype, "shape": list(values.shape), "data_offsets": [len(blob), len(blob) + len(raw)]}
        blob += raw
    header = json.dumps(header).encode()
    header += b" " * (-len(header) % 8)
    path.write_bytes(struct.pack("<Q", len(header)) + header + blob)


def wordpiece(text, vocab):
    """BERT's tokenizer, uncased: clean, split off ideographs and punctuation, lower case, no accents, longest pieces."""
    words, word = [], ""
    for c in unicodedata.normalize("NFD", text.lower()):
        kind = unicodedata.category(c)
        is_ideograph = "\u4e00" <= c <= "\u9fff" or "\u3400" <= c <= "\u4dbf"
        is_sign = kind.startswith("P") or c in "$+<=>^`|~"
        if kind in ("Mn", "Cc") and not c.isspace():
            continue
        if c.isspace() or is_ideograph or is_sign:
            words += [word] if word else []
            words += [] if c.isspace() else [c]
            word = ""
        else:
            word += c
    words += [word] if word else []
    ids = [vocab["[CLS]"]]
    for word in words:
        pieces, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            end = next((end for end in range(len(word), start, -1) if mark + word[start:end] in vocab), None)
            if end is None:
                pieces = [vocab["[UNK]"]]
                break
            pieces.append(vocab[mark + word[start:end]])
            start = end
        ids += pieces
    return ids + [vocab["[SEP]"]]


def minilm(folder):
    tensors, config = read_safetensors(folder / "model.safetensors"), json.loads((folder / "config.json").read_text())
    vocab = {word: number for number, word in enumerate((folder / "vocab.txt").read_text().splitlines())}
    out = []
    for text in TEXTS:
        vector = pooled(bert(tensors, config, wordpiece(text, vocab)), "mean")
        out.append({"text": text, "vector": [round(float(x), 7) for x in vector]})
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in out)
    (HERE / "minilm.json").write_text(f"[\n{lines}\n]\n")


class Random:
    """Weights of no meaning, large enough that every part of the model shows in the result."""

    def __init__(self, seed):
        self.source, self.tensors = np.random.default_rng(seed), {}

    def add(self, name, *shape, mean=0.0):
        self.tensors[name] = self.source.normal(mean, 0.5, shape)

    def dense(self, name, size, out, bias=True):
        self.add(name + ".weight", out, size)
        if bias:
            self.add(name + ".bias", out)

    def norm(self, name, width):
        self.add(name + ".weight", width, mean=1.0)
        self.add(name + ".bias", width)


def bert_weights(config, seed):
    width, inner, random = config["hidden_size"], config["intermediate_size"], Random(seed)
    random.add(WORDS, config["vocab_size"], width)
    random.add("embeddings.position_embeddings.weight", config["max_position_embeddings"], width)
    random.add(KINDS, config["type_vocab_size"], width)
    random.norm("embeddings.LayerNorm", width)
    for number in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{number}."
        for part in ("query", "key", "value"):
            random.dense(f"{layer}attention.self.{part}", width, width)
        random.dense(layer + "attention.output.dense", width, width)
        random.norm(layer + "attention.output.LayerNorm", width)
        random.dense(layer + "intermediate.dense", width, inner)
        random.dense(layer + "output.dense", inner, width)
        random.norm(layer + "output.LayerNorm", width)
    return random.tensors


def nomic_weights(config, seed):
    width, inner, random = config["n_embd"], config["n_inner"], Random(seed)
    random.add(WORDS, config["vocab_size"], width)
    random.add(KINDS, config["type_vocab_size"], width)
    random.norm("emb_ln", width)
    for number in range(config["n_layer"]):
        layer = f"encoder.layers.{number}."
        random.dense(layer + "attn.Wqkv", width, 3 * width, bias=False)
        random.dense(layer + "attn.out_proj", width, width, bias=False)
        random.dense(layer + "mlp.fc11", width, inner, bias=False)
        random.dense(layer + "mlp.fc12", width, inner, bias=False)
        random.dense(layer + "mlp.fc2", inner, width, bias=False)
        random.norm(layer + "norm1", width)
        random.norm(layer + "norm2", width)
    return random.tensors


def ends(first, last, ids):
    def token(name):
        return {"SpecialToken": {"id": name, "type_id": 0}}

    return {
        "type": "TemplateProcessing",
        "single": [token(first), {"Sequence": {"id": "A", "type_id": 0}}, token(last)],
        "pair": [token(first), {"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 0}}, token(last)],
        "special_tokens": {name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in (first, last)},
    }


def tokenizer(special, **parts):
    added = [
        {"id": number, "content": name, "special": True, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
        for name, number in special.items()
    ]
    # The tokenizer's own cut and padding must not be followed.
    cut = {"max_length": 4, "strategy": "LongestFirst", "stride": 0, "direction": "Right"}
    pad = {"strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0, "pad_token": "[PAD]"}
    return {"version": "1.0", "truncation": cut, "padding": pad, "added_tokens": added, "decoder": None, **parts}


def wordpiece_tokenizer(words):
    vocab = {word: number for number, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words])}
    return tokenizer(
        {word: vocab[word] for word in ("[PAD]", "[UNK]", "[CLS]", "[SEP]")},
        normalizer={"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None, "lowercase": True},
        pre_tokenizer={"type": "BertPreTokenizer"},
        post_processor=ends("[CLS]", "[SEP]", vocab),
        model={"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab},
    )


def unigram_tokenizer(pieces):
    vocab = [["<s>", 0.0], ["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0], *([piece, -2.0] for piece in pieces)]
    special = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
    return tokenizer(
        special,
        normalizer=None,
        pre_tokenizer={"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True},
        post_processor=ends("<s>", "</s>", special),
        model={"type": "Unigram", "unk_id": 3, "vocab": vocab, "byte_fallback": False},
    )


BERT = {
    "model_type": "bert", "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 12,
    "hidden_act": "gelu", "max_position_embeddings": 16, "type_vocab_size": 2, "layer_norm_eps": 1e-12, "pad_token_id": 0,
    "vocab_size": 12,
}
XLMR = {**BERT, "model_type": "xlm-roberta", "pad_token_id": 1, "type_vocab_size": 1, "layer_norm_eps": 1e-5, "vocab_size": 14}
NOMIC = {
    "model_type": "nomic_bert", "vocab_size": 12, "n_embd": 8, "n_layer": 2, "n_head": 2, "n_inner": 12, "n_positions": 10,
    "type_vocab_size": 2, "layer_norm_epsilon": 1e-12, "activation_function": "swiglu", "rotary_emb_base": 1000,
    "rotary_emb_fraction": 1.0, "rotary_emb_interleaved": False, "rotary_scaling_factor": None, "prenorm": False,
    "qkv_proj_bias": False, "mlp_fc1_bias": False, "mlp_fc2_bias": False,
}

# Of each tiny model: its weights and forward pass, pooling, other files, and texts with their tokens, split by hand.
MODELS = {
    # The mean, no prompts, names behind `bert.`.
    "tiny-bert": dict(
        config=BERT, weights=bert_weights, forward=bert, pooling="mean", prefix="bert.", dtype="F32",
        tokenizer=wordpiece_tokenizer(["the", "red", "fox", "##es", "run", "##s", ",", "狐"]),
        files={
            "1_Pooling/config.json": {"word_embedding_dimension": 8, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True},
            "modules.json": [
                {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
                {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
                {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
            ],
            "sentence_bert_config.json": {"max_seq_length": 10, "do_lower_case": False},
        },
        texts=[
            ("passage", "The red foxes run", [2, 4, 5, 6, 7, 8, 3]),
            ("query", "The red foxes run", [2, 4, 5, 6, 7, 8, 3]),
            ("passage", "fox", [2, 6, 3]),
            ("passage", "狐, runs!", [2, 11, 10, 8, 9, 1, 3]),
        ],
    ),
    # The first token's vector; prompts known by the name; places from the third row on.
    "tiny-e5": dict(
        config=XLMR, weights=bert_weights, forward=bert, pooling="cls", prefix="", dtype="F32",
        tokenizer=unigram_tokenizer(["\u2581query", "\u2581passage", ":", "\u2581the", "\u2581red", "\u2581fox", "es", "\u2581", "狐", "狸"]),
        files={"1_Pooling/config.json": {"pooling_mode": "cls"}, "tokenizer_config.json": {"model_max_length": 512}},
        texts=[
            ("passage", "the red foxes", [0, 5, 6, 7, 8, 9, 10, 2]),
            ("query", "the red foxes", [0, 4, 6, 7, 8, 9, 10, 2]),
            ("query", "狐狸", [0, 4, 6, 11, 12, 13, 2]),
        ],
    ),
    # Numbers of 16 bits; prompts from a file.
    "tiny-nomic": dict(
        config=NOMIC, weights=nomic_weights, forward=nomic, pooling="mean", prefix="", dtype="F16",
        tokenizer=wordpiece_tokenizer(["the", "red", "fox", "##es", "run", "##s", "ask", ":"]),
        files={"config_sentence_transformers.json": {"prompts": {"query": "ask: ", "document": ""}, "default_prompt_name": None}},
        texts=[
            ("passage", "the red foxes run", [2, 4, 5, 6, 7, 8, 3]),
            ("query", "the red foxes run", [2, 10, 11, 4, 5, 6, 7, 8, 3]),
        ],
    ),
}


def tiny():
    expected = {}
    for seed, (name, model) in enumerate(MODELS.items()):
        folder, config = HERE / name, model["config"]
        tensors = model["weights"](config, seed)
        stored = {model["prefix"] + tensor: values for tensor, values in tensors.items()}
        files = {"config.json": config, "tokenizer.json": model["tokenizer"], **model["files"]}
        for file, content in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")
        write_safetensors(folder / "model.safetensors", stored, model["dtype"])
        kept = {"F32": np.float32, "F16": np.float16}[model["dtype"]]
        tensors = {tensor: values.astype(kept).astype(np.float64) for tensor, values in tensors.items()}
        expected[name] = [
            {"purpose": purpose, "text": text, "vector": [round(float(x), 7) for x in pooled(model["forward"](tensors, config, ids), model["pooling"])]}
            for purpose, text, ids in model["texts"]
        ]
    (HERE / "tiny.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--minilm", type=pathlib.Path, metavar="FOLDER")
    folder = parser.parse_args().minilm
    minilm(folder) if folder else tiny()
