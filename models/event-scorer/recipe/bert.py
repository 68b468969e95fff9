"""The encoder, a BERT (Devlin et al. 2018, arXiv:1810.04805), in PyTorch. Outside of training its weights are nested dictionaries of
numpy arrays, layers stacked, matrices [inputs, outputs]."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, Tensor

HEADS, EPSILON, PLACES = 12, 1e-12, 128
TOKENS = 2048
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


def parameters_of(values: dict[str, np.ndarray]) -> nn.ParameterDict:
    return nn.ParameterDict({name: nn.Parameter(torch.tensor(value)) for name, value in values.items()})


def arrays_of(values: nn.ParameterDict) -> dict[str, np.ndarray]:
    return {name: value.detach().numpy().copy() for name, value in values.items()}


class Encoder(nn.Module):
    """ids [B, T] and where they are there, mask [B, T] -> states [B, T, width] of the pieces and after each layer."""

    def __init__(self, weights: dict):
        super().__init__()
        self.pieces = nn.Parameter(torch.tensor(weights['pieces']))
        self.below = parameters_of({name: weights[name] for name in ('places', 'norm', 'norm_bias')})
        self.layers = nn.ModuleList(parameters_of({name: values[i] for name, values in weights['layers'].items()})
                                    for i in range(len(weights['layers']['qkv'])))

    def forward(self, ids: Tensor, mask: Tensor, dropout: float = 0.0, watch=None) -> list[Tensor]:
        """dropout: share of each layer's changes that is dropped (training); watch(what the inner units read, what they say) is called in
        each layer."""
        hidden = (~mask)[:, None, None, :] * -1e9
        x = normed(F.embedding(ids, self.pieces) + self.below['places'][:ids.shape[1]], self.below['norm'], self.below['norm_bias'])
        states = [x]
        for layer in self.layers:
            x = normed(x + dropped(attention(layer, x, hidden), dropout), layer['norm_1'], layer['norm_1_bias'])
            inner = F.gelu(linear(x, layer['inner'], layer['inner_bias']))
            if watch:
                watch(x, inner)
            change = linear(inner, layer['outer'], layer['outer_bias'])
            x = normed(x + dropped(change, dropout), layer['norm_2'], layer['norm_2_bias'])
            states.append(x)
        return states

    def weights(self) -> dict:
        layers = [arrays_of(layer) for layer in self.layers]
        return {'pieces': self.pieces.detach().numpy().copy(), **arrays_of(self.below),
                'layers': {name: np.stack([layer[name] for layer in layers]) for name in layers[0]}}


def dropped(x: Tensor, share: float) -> Tensor:
    """Each value dropped with a probability of this share (in 256ths), the others larger by as much. Cheaper draws than those
    of F.dropout, which take a seventh of an epoch."""
    if not share:
        return x
    least, seed = round(256 * share), int(torch.randint(2 ** 62, ()))
    draws = np.random.Generator(np.random.SFC64(seed)).integers(0, 256, tuple(x.shape), np.uint8)
    return x * (torch.from_numpy(draws) >= least).to(x.dtype).mul_(256 / (256 - least))


def linear(x: Tensor, matrix: Tensor, bias: Tensor) -> Tensor:
    return F.linear(x, matrix.T, bias)


def attention(layer, x: Tensor, hidden: Tensor) -> Tensor:
    count, length, width = x.shape
    qkv = linear(x, layer['qkv'], layer['qkv_bias']).view(count, length, 3, HEADS, width // HEADS)
    q, k, v = qkv.permute(2, 0, 3, 1, 4)
    share = torch.softmax(q @ k.transpose(-1, -2) * (width // HEADS) ** -0.5 + hidden, -1)
    return linear((share @ v).transpose(1, 2).reshape(count, length, width), layer['out'], layer['out_bias'])


def normed(x: Tensor, scale: Tensor, bias: Tensor) -> Tensor:
    return F.layer_norm(x, scale.shape, scale, bias, EPSILON)


def mean(x: Tensor, mask: Tensor) -> Tensor:
    """[B, T, width] -> [B, width], over the tokens that are there."""
    weight = mask[..., None].to(x.dtype)
    return (x * weight).sum(-2) / weight.sum(-2)


def batches(lengths: list[int], tokens: int, chance: np.random.Generator | None = None) -> list[list[int]]:
    """Numbers of texts of like length, at most `tokens` tokens a batch with the padding. With chance: other companions and another
    order each time, lengths within a batch a little less alike."""
    loose = np.zeros(len(lengths)) if chance is None else chance.uniform(0, 2, len(lengths))
    found, widest = [[]], 0
    for i in np.argsort(np.array(lengths) + loose, kind='stable'):
        widest = max(widest, lengths[i])
        if found[-1] and widest * (len(found[-1]) + 1) > tokens:
            found, widest = [*found, []], lengths[i]
        found[-1].append(int(i))
    return found if chance is None else [found[i] for i in chance.permutation(len(found))]


def padded(rows: list[list[int]]) -> tuple[Tensor, Tensor]:
    """Rows of ids as one array, and where they are there."""
    length = max(map(len, rows))
    ids = torch.tensor([[*row, *[0] * (length - len(row))] for row in rows])
    return ids, torch.arange(length)[None] < torch.tensor([len(row) for row in rows])[:, None]


@torch.no_grad()
def each(read, ids: list[list[int]], tokens: int = TOKENS) -> list[np.ndarray]:
    """read(ids, mask) -> [B, ...], for every text."""
    found = [np.zeros(0)] * len(ids)
    for chosen in batches(list(map(len, ids)), tokens):
        for i, value in zip(chosen, read(*padded([ids[i] for i in chosen])).numpy()):
            found[i] = value
    return found


def states_of(weights: dict, ids: list[list[int]]) -> list[np.ndarray]:
    """The last layer's states [t, width] of each text."""
    encoder = Encoder(weights)
    rows = each(lambda *batch: encoder(*batch)[-1], ids)
    return [row[:len(own)] for row, own in zip(rows, ids)]


def means_of(weights: dict, ids: list[list[int]]) -> np.ndarray:
    """[n, width]: mean of the last layer's states of each text."""
    encoder = Encoder(weights)
    return np.array(each(lambda ids, mask: mean(encoder(ids, mask)[-1], mask), ids))
