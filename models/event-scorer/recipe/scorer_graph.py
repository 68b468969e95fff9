"""The shipped model as a graph: encoder and heads, weights as whole numbers."""
import numpy as np
import onnx

from graph import FLOAT, Graph, INT64
from topics import layers_read

HEADS = 12


def scorer_graph(weights: dict, heads: dict, smooth: dict[str, np.ndarray]) -> onnx.ModelProto:
    """weights: of the encoder (bert.py); heads: what train.py and explain.py made; smooth: smooth.divisors. Outputs: see README."""
    g = Graph()
    states, means = encoder(g, weights, heads['rarity'], smooth)
    text = pooled(g, states, heads)
    logits = g.affine(text, heads['sentiment'], heads['sentiment_bias'])
    g.op('Softmax', g.op('Mul', logits, g.const(1 / heads['temperature'])), axis=0, output='probabilities')
    g.affine(text, heads['importance'], heads['importance_bias'], output='importance')
    topic = g.op('Sub', g.op('MatMul', g.op('Concat', *means, axis=0), g.weights(heads['topic'])), g.const(heads['topic_mean']))
    g.op('Identity', g.unit(topic), output='topic')
    one = lambda index: g.op('Gather', logits, g.ints(index), axis=0)
    tone = g.op('Sub', one(2), one(0))
    g.op('Concat', g.op('MatMul', text, g.const(heads['course'])), tone, axis=0, output='course')
    g.op('MatMul', text, g.const(np.concatenate([heads['quantity'], heads['good']], 1)), output='quantity')
    g.affine(states, heads['effects'], heads['effects_bias'], output='token_effects')
    rank = heads['course'].shape[1] + 1
    shapes = {'probabilities': [3], 'importance': [1], 'topic': [heads['topic'].shape[1]], 'course': [rank], 'quantity': [rank],
              'token_effects': ['T', 2]}
    return g.model([('tokens', INT64, ['T'])], [(name, FLOAT, shape) for name, shape in shapes.items()])


def encoder(g: Graph, w: dict, rarity: np.ndarray, smooth: dict[str, np.ndarray]) -> tuple[str, list[str]]:
    """tokens [T] -> states of the last layer [T, width], and the means that the topic is made of (topics.py)"""
    places = g.op('Slice', g.const(w['places']), g.ints(0), g.op('Shape', 'tokens'), g.ints(0))
    pieces = g.rows(w['pieces'], 'tokens')
    means = [g.mean(g.op('Mul', pieces, g.op('Gather', g.const(rarity[:, None]), 'tokens', axis=0)))]
    x = g.norm(g.op('Add', pieces, places), w['norm'], w['norm_bias'])
    count = len(w['layers']['qkv'])
    for i in range(count):
        x = layer(g, x, *({name: values[i] for name, values in part.items()} for part in (w['layers'], smooth)))
        if i + 1 in layers_read(count):
            means.append(g.mean(x))
    return x, means


def pooled(g: Graph, states: str, heads: dict) -> str:
    """[T, width] -> [width] (heads.py)"""
    if 'attention' not in heads:
        return g.mean(states)
    say = g.op('Clip', g.op('MatMul', states, g.const(heads['attention'][:, 0])), g.const(-30), g.const(30))
    return g.op('MatMul', g.op('Softmax', say, axis=0), states)


def layer(g: Graph, x: str, w: dict, smooth: dict[str, np.ndarray]) -> str:
    width = w['qkv'].shape[0]
    x = g.norm(g.op('Add', x, g.linear(attention(g, g.linear(x, *scaled(w, width)), width), w['out'], w['out_bias'])),
               w['norm_1'], w['norm_1_bias'])
    wide = {name: w[name] * values[:, None] for name, values in smooth.items()}
    inner = g.gelu(g.linear(g.op('Mul', x, g.const(1 / smooth['inner'])), wide['inner'], w['inner_bias']), 1 / smooth['outer'])
    return g.norm(g.op('Add', x, g.linear(inner, wide['outer'], w['outer_bias'])), w['norm_2'], w['norm_2_bias'])


def scaled(w: dict, width: int) -> tuple[np.ndarray, np.ndarray]:
    """The scale of the attention goes into the weights of the queries."""
    scale = np.where(np.arange(3 * width) < width, (width // HEADS) ** -0.5, 1)
    return w['qkv'] * scale, w['qkv_bias'] * scale


def attention(g: Graph, qkv: str, width: int) -> str:
    """[T, 3 width] -> [T, width]"""
    split = g.op('Reshape', qkv, g.ints(0, 3, HEADS, width // HEADS))
    q, k, v = (g.op('Gather', g.op('Transpose', split, perm=[1, 2, 0, 3]), g.const(i, np.int64), axis=0) for i in range(3))
    mixed = g.op('MatMul', g.op('Softmax', g.op('MatMul', q, g.op('Transpose', k, perm=[0, 2, 1])), axis=-1), v)
    return g.op('Reshape', g.op('Transpose', mixed, perm=[1, 0, 2]), g.ints(0, width))
