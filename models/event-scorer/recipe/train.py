"""Fine-tunes the upper layers of the encoder together with the heads, on one thread."""
import time
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
import numpy as np

from bert import batches, encode, LENGTHS, mean, padded, states_of

FROZEN, EPOCHS, TOKENS = 2, 3, 512
RATE, HEAD_RATE, WARM_UP, DECAY, LONGEST_STEP = 8e-5, 1e-3, 0.1, 0.01, 1.0
SMOOTHING = 0.05
WEIGHT = {'importance': 6.0, 'targets': 0.5, 'topic': 0.5}
TARGETS, COURSE = 3, 64
MAX_TOKENS, TARGET_TOKENS = 96, 12
FRESH = 40
SEED = 0


@dataclass
class Texts:
    """Token ids, sentiment -1, 0, 1, importance (-1: not known), weight, up to three targets (number of the name, sign; sign 0:
    none) and the direction of the topic (zeros: not known) of each text."""
    ids: list[list[int]]
    sentiment: np.ndarray
    importance: np.ndarray
    weight: np.ndarray
    targets: np.ndarray
    signs: np.ndarray
    topic: np.ndarray
    states: list[np.ndarray] = field(default_factory=list)

    def batch(self, chosen: list[int], length: int) -> dict:
        count = max(1, TOKENS // length)
        states, mask = padded([self.states[i] for i in chosen], length, count)
        fill = lambda values: np.concatenate([values[chosen], np.zeros((count - len(chosen), *values.shape[1:]), values.dtype)])
        wanted = np.eye(3, dtype=np.float32)[self.sentiment + 1] * (1 - SMOOTHING) + SMOOTHING / 3
        return {'states': states, 'mask': mask, 'wanted': fill(wanted), **{
            name: fill(getattr(self, name)) for name in ('importance', 'weight', 'targets', 'signs', 'topic')}}


def part_of(w: dict, low: int, high: int | None) -> dict:
    return {**w, 'layers': {name: values[low:high] for name, values in w['layers'].items()}}


def first_heads(width: int, chance: np.random.Generator) -> dict:
    small = lambda size, scale=0.02: chance.normal(0, scale, (width, size)).astype(np.float32)
    return {'sentiment': small(3), 'sentiment_bias': np.zeros(3, np.float32), 'importance': small(1),
            'importance_bias': np.full(1, 0.4, np.float32), 'course': small(COURSE, 0.03), 'quantity': small(COURSE, 0.03),
            'good': np.zeros((width, 1), np.float32), 'topic': np.eye(width, dtype=np.float32)}


def loss(trained: dict, batch: dict, names: jax.Array, chance: jax.Array) -> jax.Array:
    heads = trained['heads']
    text = mean(encode(trained['layers'], batch['states'], batch['mask'], chance), batch['mask'])
    weight = batch['weight'] / (batch['weight'].sum() + 1e-6)
    logits, importance = predictions(heads, text)
    of_sentiment = (-(batch['wanted'] * jax.nn.log_softmax(logits)).sum(-1) * weight).sum()
    of_importance = ((importance - batch['importance']) ** 2 * (batch['importance'] >= 0) * weight).sum()
    odds = rises(heads, text, logits, names[batch['targets']])
    of_targets = (jax.nn.softplus(-odds * batch['signs']) * (batch['signs'] != 0) * weight[:, None]).sum()
    topic = text @ heads['topic']
    known = (batch['topic'] ** 2).sum(-1) > 0
    cosine = (topic * batch['topic']).sum(-1) * jax.lax.rsqrt((topic ** 2).sum(-1) + 1e-6)
    of_topic = (known * (1 - cosine)).mean()
    return of_sentiment + WEIGHT['importance'] * of_importance + WEIGHT['targets'] * of_targets + WEIGHT['topic'] * of_topic


def predictions(heads: dict, text: jax.Array) -> tuple[jax.Array, jax.Array]:
    return text @ heads['sentiment'] + heads['sentiment_bias'], (text @ heads['importance'] + heads['importance_bias'])[:, 0]


def rises(heads: dict, text: jax.Array, logits: jax.Array, names: jax.Array) -> jax.Array:
    """Log odds that targets [n, k, width] go up: what the text says of them, and its tone where the target is good to have."""
    said = ((text @ heads['course'])[:, None] * (names @ heads['quantity'])).sum(-1)
    return said + (logits[:, 2] - logits[:, 0])[:, None] * (names @ heads['good'])[..., 0]


@jax.jit
def step(trained: dict, moments: tuple, batch: dict, names: jax.Array, chance: jax.Array, rate: float, number: float):
    """AdamW (Loshchilov and Hutter 2019, arXiv:1711.05101), gradients at most of length one."""
    value, slopes = jax.value_and_grad(loss)(trained, batch, names, chance)
    length = jnp.sqrt(sum(jnp.sum(s * s) for s in jax.tree.leaves(slopes)))
    slopes = jax.tree.map(lambda s: s * jnp.minimum(1.0, LONGEST_STEP / (length + 1e-6)), slopes)
    first = jax.tree.map(lambda m, s: 0.9 * m + 0.1 * s, moments[0], slopes)
    second = jax.tree.map(lambda m, s: 0.98 * m + 0.02 * s * s, moments[1], slopes)

    def moved(path, values, m, s):
        own = rate * (HEAD_RATE / RATE if path[0].key == 'heads' else 1)
        shrunk = 0.0 if path[-1].key.endswith('bias') or 'norm' in path[-1].key else DECAY
        change = m / (1 - 0.9 ** number) / (jnp.sqrt(s / (1 - 0.98 ** number)) + 1e-8)
        return values - own * (change + shrunk * values)

    return jax.tree_util.tree_map_with_path(moved, trained, first, second), (first, second), value


def train(w: dict, heads: dict | None, texts: Texts, names: list[list[int]], cycle: int, after_epoch) -> tuple[dict, dict]:
    """Weights and heads after one more cycle, in which the rate rises and falls once. heads: null before the first one. names: ids
    of the targets' names, by number. after_epoch(epoch, weights, heads)"""
    lower, chance = part_of(w, 0, FROZEN), np.random.default_rng(SEED + cycle)
    texts.states = states_of(lower, [ids if len(ids) <= MAX_TOKENS else [*ids[:MAX_TOKENS - 1], ids[-1]] for ids in texts.ids])
    name_states, name_mask = padded(states_of(lower, names), TARGET_TOKENS, len(names))
    read_names = jax.jit(lambda layers: mean(encode(layers, name_states, name_mask), name_mask))
    trained = {'layers': part_of(w, FROZEN, None)['layers'], 'heads': heads or first_heads(w['norm'].size, chance)}
    moments = (jax.tree.map(jnp.zeros_like, trained),) * 2
    lengths, key, number, start = list(map(len, texts.states)), jax.random.key(SEED + cycle), 0, time.time()
    steps = EPOCHS * len(list(batches(lengths, TOKENS)))
    for epoch in range(EPOCHS):
        todo, losses = list(batches(lengths, TOKENS, chance.permutation(len(lengths)))), []
        for i in chance.permutation(len(todo)):
            if number % FRESH == 0:
                vectors = read_names(trained['layers'])
            number += 1
            rate = RATE * max(0.0, min(number / (WARM_UP * steps), (steps - number) / ((1 - WARM_UP) * steps)))
            batch = texts.batch(todo[i][1], todo[i][0])
            trained, moments, value = step(trained, moments, batch, vectors, jax.random.fold_in(key, number), rate, float(number))
            losses.append(float(value))
            if number % FRESH == 0:
                print(f'step {number} of about {steps}, loss {np.mean(losses):.3f}, {time.time() - start:.0f} s', flush=True)
        after_epoch(epoch, *joined(w, trained))
    return joined(w, trained)


def joined(w: dict, trained: dict) -> tuple[dict, dict]:
    upper = jax.tree.map(np.asarray, trained)
    layers = {name: np.concatenate([w['layers'][name][:FROZEN], values]) for name, values in upper['layers'].items()}
    return {**w, 'layers': layers}, upper['heads']


assert MAX_TOKENS in LENGTHS
