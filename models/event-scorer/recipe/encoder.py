"""The sentence encoder: Universal Sentence Encoder Lite, written out as ONNX."""
from dataclasses import dataclass

import numpy as np

from graph import Graph

KONA = 'module_apply_default/Encoder_en/KonaTransformer/Encode/'
KERNELS = 'module/Encoder_en/KonaTransformer/Encode/'
HEADS, LONGEST = 4, 128


@dataclass
class Sentence:
    """Names of outputs: last layer [T, 512], hidden layer after tanh [512], its unit vector [512]; and the hidden
    layer's weights [512, 512], which the effects need once more."""
    states: str
    hidden: str
    vector: str
    kernel: str


def sentence_encoder(g: Graph, w: dict[str, np.ndarray]) -> Sentence:
    x = g.rows(w['module/Embeddings_en'], 'tokens')
    x = g.op('Add', g.op('Add', x, x), timing(g, w))  # the original adds the embedding twice
    for layer, width in enumerate((256, 512)):
        x = transformer_layer(g, w, x, layer, width)
    kernel, bias = (w[f'module/Encoder_en/hidden_layers/tanh_layer_0/{part}'] for part in ('weights', 'bias'))
    kernel = g.weights(kernel, 1)
    hidden = g.op('Tanh', g.op('Add', g.op('MatMul', g.mean(x), kernel), g.const(bias)))
    return Sentence(x, hidden, g.unit(hidden), kernel)


def timing(g: Graph, w: dict[str, np.ndarray]) -> str:
    """Sine and cosine of position, cut to the length of the text."""
    rates = w[KONA + 'TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1']
    angles = np.arange(LONGEST, dtype=np.float32)[:, None] * rates
    table = g.const(np.concatenate([np.sin(angles), np.cos(angles)], 1))
    return g.op('Slice', table, g.ints(0), g.op('Shape', 'tokens'), g.ints(0))


def transformer_layer(g: Graph, w: dict[str, np.ndarray], x: str, layer: int, width: int) -> str:
    here, kernels = f'{KONA}Layer_{layer}/TransformerLayer/', f'{KERNELS}Layer_{layer}/TransformerLayer/MultiheadAttention/'
    whole = lambda name: w[f'{here}{name}/ConcatPartitions/concat']
    norms = lambda part: (whole(f'{part}layer_prepostprocess/layer_norm/layer_norm_{name}') for name in ('scale', 'bias'))
    normed = lambda x, part: g.norm(x, *norms(part))
    qkv = g.linear(normed(x, ''), w[kernels + 'qkv_transform_single/kernel/part_0'][0, 0],
                   whole('MultiheadAttention/qkv_transform_single/bias'))
    scale = w[f'{KONA}TransformerStack/Layer_{layer}/TransformerLayer/MultiheadAttention/mul/y']
    attended = g.linear(attention(g, qkv, width, float(scale)), w[kernels + 'output_transform_single/kernel/part_0'][0, 0],
                        whole('MultiheadAttention/output_transform_single/bias'))
    if layer == 0:
        x = g.linear(x, whole('dense/kernel'), whole('dense/bias'))
    x = g.op('Add', attended, x)
    stack = f'{KONA}TransformerStack/Layer_{layer}/TransformerLayer/FFN/'
    inner = g.op('Relu', g.linear(normed(x, 'FFN/'), w[stack + 'conv1/Tensordot/Reshape_1'], whole('FFN/conv1/bias')))
    return g.op('Add', g.linear(inner, w[stack + 'conv2/Tensordot/Reshape_1'], whole('FFN/conv2/bias')), x)


def attention(g: Graph, qkv: str, width: int, scale: float) -> str:
    """[T, 3 width] -> [T, width], four heads."""
    split = g.op('Reshape', qkv, g.ints(0, 3, HEADS, width // HEADS))
    q, k, v = (g.op('Gather', g.op('Transpose', split, perm=[1, 2, 0, 3]), g.const(i, np.int64), axis=0) for i in range(3))
    logits = g.op('MatMul', g.op('Mul', q, g.const(scale)), g.op('Transpose', k, perm=[0, 2, 1]))
    mixed = g.op('MatMul', g.op('Softmax', logits, axis=-1), v)
    return g.op('Reshape', g.op('Transpose', mixed, perm=[1, 0, 2]), g.ints(0, width))
