"""The encoder, a BERT (Devlin et al. 2018, arXiv:1810.04805), in JAX: weights as nested dictionaries, layers stacked."""
import os

os.environ.setdefault('XLA_FLAGS', '--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1')
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

jax.config.update('jax_default_prng_impl', 'rbg')
HEADS, EPSILON, PLACES = 12, 1e-12, 128
FROM_E5 = {'out': 'ao.w', 'out_bias': 'ao.b', 'norm_1': 'aln.w', 'norm_1_bias': 'aln.b', 'inner': 'fi.w', 'inner_bias': 'fi.b',
           'outer': 'fo.w', 'outer_bias': 'fo.b', 'norm_2': 'oln.w', 'norm_2_bias': 'oln.b'}


def weights_from(tensors: dict[str, np.ndarray], kept: np.ndarray, layers: int) -> dict:
    """The first layers of the encoder, with the pieces that are kept."""
    stack = lambda name: np.stack([turned(tensors[f'l{i}.{name}']) for i in range(layers)])
    joined = lambda part, axis: np.concatenate([stack(f'{name}.{part}') for name in 'qkv'], axis)
    return {
        'pieces': tensors['emb.word'][kept], 'places': (tensors['emb.pos'] + tensors['emb.type'][0])[:PLACES],
        'norm': tensors['emb.ln.w'], 'norm_bias': tensors['emb.ln.b'],
        'layers': {'qkv': joined('w', 2), 'qkv_bias': joined('b', 1), **{ours: stack(theirs) for ours, theirs in FROM_E5.items()}},
    }


def turned(values: np.ndarray) -> np.ndarray:
    """[outputs, inputs] -> [inputs, outputs]"""
    return np.ascontiguousarray(values.T)


def embed(w: dict, ids: jax.Array) -> jax.Array:
    """ids [B, T] -> [B, T, width]"""
    return normed(w['pieces'][ids] + w['places'][:ids.shape[1]], w['norm'], w['norm_bias'])


def encode(layers: dict, x: jax.Array, mask: jax.Array, chance: jax.Array | None = None, rate: float = 0.1) -> jax.Array:
    """x [B, T, width] through the layers; with `chance`, a share `rate` of each layer's changes is dropped (training)."""
    hidden = jnp.where(mask[:, None, None, :], 0.0, -1e9)

    def step(carry, layer):
        x, i = carry
        dropped = lambda change, k: change if chance is None else drop(change, jax.random.fold_in(chance, 2 * i + k), rate)
        x = normed(x + dropped(attention(layer, x, hidden), 0), layer['norm_1'], layer['norm_1_bias'])
        inner = jax.nn.gelu(x @ layer['inner'] + layer['inner_bias'], approximate=False)
        change = dropped(inner @ layer['outer'] + layer['outer_bias'], 1)
        return (normed(x + change, layer['norm_2'], layer['norm_2_bias']), i + 1), None

    return jax.lax.scan(step, (x, 0), layers)[0][0]


def attention(layer: dict, x: jax.Array, hidden: jax.Array) -> jax.Array:
    count, length, width = x.shape
    heads = lambda part: part.reshape(count, length, HEADS, width // HEADS).transpose(0, 2, 1, 3)
    q, k, v = map(heads, jnp.split(x @ layer['qkv'] + layer['qkv_bias'], 3, -1))
    share = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) / np.sqrt(width // HEADS) + hidden, -1)
    return (share @ v).transpose(0, 2, 1, 3).reshape(count, length, width) @ layer['out'] + layer['out_bias']


def normed(x: jax.Array, scale: jax.Array, bias: jax.Array) -> jax.Array:
    centred = x - x.mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred ** 2).mean(-1, keepdims=True) + EPSILON) * scale + bias


def drop(x: jax.Array, chance: jax.Array, rate: float) -> jax.Array:
    return jnp.where(jax.random.bernoulli(chance, 1 - rate, x.shape), x / (1 - rate), 0.0)


def mean(x: jax.Array, mask: jax.Array) -> jax.Array:
    """[B, T, width] -> [B, width], over the tokens that are there."""
    weight = mask[..., None].astype(x.dtype)
    return (x * weight).sum(-2) / weight.sum(-2)


# Lengths that texts are padded to: each is compiled once
LENGTHS = (16, 24, 32, 48, 96, 128)


def batches(lengths: list[int], tokens: int, order=None):
    """Texts of like length, at most `tokens` tokens together with the padding: (padded length, indices)."""
    waiting: dict[int, list[int]] = {}
    for i in range(len(lengths)) if order is None else order:
        padded = next(length for length in LENGTHS if lengths[i] <= length)
        waiting.setdefault(padded, []).append(i)
        if len(waiting[padded]) == max(1, tokens // padded):
            yield padded, waiting.pop(padded)
    yield from waiting.items()


def padded(rows: list[np.ndarray], length: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows [t, ...] in one array [count, length, ...], and where they are [count, length]. Empty rows have one place."""
    values = np.zeros((count, length, *rows[0].shape[1:]), rows[0].dtype)
    mask = np.zeros((count, length), bool)
    mask[:, 0] = True
    for i, row in enumerate(rows):
        values[i, :len(row)], mask[i, :len(row)] = row, True
    return values, mask


def states_of(w: dict, ids: list[list[int]], tokens: int = 1024) -> list[np.ndarray]:
    """The last layer's states [t, width] of each text."""
    run = jax.jit(lambda w, ids, mask: encode(w['layers'], embed(w, ids), mask))
    w, found = jax.tree.map(jnp.asarray, w), [np.zeros(0)] * len(ids)
    for length, chosen in batches(list(map(len, ids)), tokens):
        states = np.asarray(run(w, *padded([np.array(ids[i]) for i in chosen], length, max(1, tokens // length))))
        for row, i in zip(states, chosen):
            found[i] = row[:len(ids[i])]
    return found
