"""The whole model: sentence encoder, word vectors, lexicon features and linear heads."""
import numpy as np
import onnx

from encoder import sentence_encoder, Sentence
from graph import FLOAT, Graph, INT64
from heads import Heads, LEXICON_SCALE, WORD_SCALE

RARE = 1e-3
INPUTS = [('tokens', INT64, ['T']), ('words', INT64, ['W']), ('lexicon', FLOAT, [14])]


def frequency_weighted(vectors: np.ndarray, counted: int = 40000) -> np.ndarray:
    """Smooth inverse frequency (Arora, Liang and Ma 2017) with Zipf's law for the frequencies, and a row of zeros at the end."""
    frequency = 1 / (np.arange(counted) + 10)
    frequency = (frequency / frequency.sum())[:len(vectors)]
    weighted = vectors * (RARE / (RARE + frequency))[:, None]
    return np.concatenate([weighted, np.zeros((1, vectors.shape[1]))]).astype(np.float32)


def word_mean(g: Graph, vectors: np.ndarray, common: np.ndarray | None) -> tuple[str, str, str]:
    """word ids [W] -> vectors [W, 100], mean and its unit vector, both without the direction common to all texts."""
    picked = g.rows(frequency_weighted(vectors), 'words')
    if common is not None:
        picked = g.op('MatMul', picked, g.const(np.eye(len(common)) - np.outer(common, common)))
    mean = g.mean(picked)
    return picked, mean, g.unit(mean)


def feature_graph(weights: dict, vectors: np.ndarray) -> onnx.ModelProto:
    """What the heads are trained on: sentence vector, mean of the last layer, mean word vector before centring."""
    g = Graph()
    sentence = sentence_encoder(g, weights)
    _, mean, _ = word_mean(g, vectors, None)
    outputs = {'sentence': (sentence.vector, 512), 'state': (g.mean(sentence.states), 512), 'word_mean': (mean, 100)}
    for name, (source, _) in outputs.items():
        g.op('Identity', source, output=name)
    return g.model(INPUTS[:2], [(name, FLOAT, [size]) for name, (_, size) in outputs.items()])


def scorer_graph(weights: dict, vectors: np.ndarray, heads: Heads) -> onnx.ModelProto:
    """The shipped model: probabilities, importance, topic vector, and the effects that explain them."""
    g = Graph()
    sentence = sentence_encoder(g, weights)
    picked, mean, words = word_mean(g, vectors, heads.common)
    scaled = [g.op('Mul', words, g.const(WORD_SCALE)), g.op('Mul', 'lexicon', g.const(LEXICON_SCALE))]
    x = g.op('Concat', sentence.vector, *scaled, axis=0)
    logits = g.op('Add', g.op('MatMul', x, g.const(heads.sentiment.T)), g.const(heads.sentiment_bias))
    g.op('Softmax', logits, axis=0, output='probabilities')
    g.op('Add', g.op('MatMul', x, g.const(heads.importance[:, None])), g.const([heads.importance_bias]), output='importance')
    centred = g.unit(g.op('Sub', sentence.vector, g.const(heads.sentence_mean)))
    g.op('Mul', g.op('Concat', centred, words, axis=0), g.const(2 ** -0.5), output='topic')
    effects(g, heads, sentence, picked, mean)
    shapes = {'probabilities': [3], 'importance': [1], 'topic': [612],
              'token_effects': ['T', 2], 'word_effects': ['W', 2], 'lexicon_effects': [14, 2]}
    return g.model(INPUTS, [(name, FLOAT, shape) for name, shape in shapes.items()])


def effects(g: Graph, heads: Heads, sentence: Sentence, picked: str, mean: str) -> None:
    """How far each token, word and lexicon feature moves [polarity, importance]. Words and features: exact shares of the
    linear heads. Tokens: first order, gradient times input at the last layer against the mean text (Shrikumar et al.
    2016, arXiv:1605.01713), with the length of the hidden vector held fixed."""
    of_sentence, of_words, of_lexicon = np.split(heads.effect_directions(), [512, 612])
    length = lambda x: g.op('ReduceL2', x, axes=[0], keepdims=1)
    count = lambda ids: g.op('Cast', g.op('Shape', ids), to=FLOAT)
    slope = g.op('Div', g.op('Sub', g.const(1.0), g.op('Mul', sentence.hidden, sentence.hidden)), length(sentence.hidden))
    back = g.op('MatMul', sentence.kernel, g.op('Mul', g.const(of_sentence), g.op('Unsqueeze', slope, g.ints(1))))
    against_mean = g.op('Sub', sentence.states, g.const(heads.state_mean))
    g.op('Div', g.op('MatMul', against_mean, back), count('tokens'), output='token_effects')
    norm = g.op('Mul', g.op('Max', length(mean), g.const([1e-9])), count('words'))
    g.op('Div', g.op('MatMul', picked, g.const(of_words * WORD_SCALE)), norm, output='word_effects')
    g.op('Mul', g.op('Unsqueeze', 'lexicon', g.ints(1)), g.const(of_lexicon * LEXICON_SCALE), output='lexicon_effects')
