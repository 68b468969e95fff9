"""Writes a trained slug as one ONNX file that takes plain numbers and gives plain numbers, and checks it against the network.

    python export.py CHECKPOINT.pt OUT.onnx
    python export.py SLUG.onnx START.pt         # the other way: the weights, for a larger network to begin with

Weights are stored as 16-bit floats and cast to 32 bits when the session starts; all arithmetic is in 32 bits, but for the
level and scale of each series, which stay in 64.
"""
import argparse

import numpy as np
import onnx
import onnxruntime
import torch
import torch.nn as nn

import model


class Whole(nn.Module):
    """context [B, n] float64 with NaN where missing, period [B], horizon [1] -> quantiles [B, horizon, 9], embedding [B, 2d]."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, context, period, horizon):
        context = context[:, -model.MAX_CONTEXT:]
        known = torch.logical_not(torch.isnan(context))
        mask = known.to(torch.float32)
        values = torch.where(known, context, 0.)
        # level and scale in 64 bits: a small swing on a high level is not lost
        n = known.to(torch.float64).sum(1, keepdim=True).clamp(min=1.)
        largest = values.abs().amax(1, keepdim=True).clamp(min=1e-300)
        level = ((values / largest).sum(1, keepdim=True) / n) * largest
        centred = torch.where(known, context - level, 0.)
        widest = centred.abs().amax(1, keepdim=True)
        # less than four units in the last place of 64 bits is rounding
        varies = widest > 1e-15 * largest
        scale = torch.where(varies, widest, 1.)
        # what never varied may begin to, by a hundredth of what it was
        spread = torch.where(varies, widest, .01 * values.abs().amax(1, keepdim=True))
        # what lies below zero on the whole is turned over, and its forecast turned back: a negated series has the negated forecast
        sign = torch.where(level < 0, -1., 1.).to(torch.float64)
        x = torch.where(varies, sign * centred / scale, 0.).to(torch.float32)
        zero = torch.where(varies, level.abs() / scale, 100.).clamp(max=1e6).to(torch.float32)
        # whole patches, of the older steps too
        left = torch.maximum(torch.remainder(-1 * torch.tensor(x.shape[1]), 64), 320 - torch.tensor(x.shape[1]))
        blank = torch.zeros(x.shape[0], left)
        x, mask = torch.cat([blank, x], 1), torch.cat([blank, mask], 1)
        h = horizon[0]
        H = torch.div(h + 15, 16, rounding_mode='trunc') * 16
        H = torch.maximum(H, torch.tensor(64))
        q, pooled = self.net.forecast(x, mask, period, H, zero)
        q = q[:, :h].to(torch.float64)
        q = torch.where(sign[:, :, None] < 0, -torch.flip(q, (2,)), q)
        return level[:, :, None] + spread[:, :, None] * q, pooled


def settled(path):
    """
    Reshapes whose target is reckoned from shapes get a fixed one: 0 where a dimension is kept, -1 for the one that varies.
    What they reshape to is taken from runs over several batches, lengths and horizons.
    """
    m = onnx.load(path)
    shapers = [n for n in m.graph.node if n.op_type == 'Reshape']
    watched = onnx.ModelProto()
    watched.CopyFrom(m)
    names = sorted({n.input[1] for n in shapers} | {n.input[0] for n in shapers})
    constant = {w.name for w in m.graph.initializer}
    names = [n for n in names if n not in constant]
    del watched.graph.output[:]
    watched.graph.output.extend(onnx.ValueInfoProto(name=n) for n in names)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(watched.SerializeToString(), options)
    runs = []
    for B, n, h in ((3, 300, 70), (1, 512, 64), (5, 77, 200), (2, 2500, 720), (7, 900, 16)):
        got = session.run(names, {'context': np.random.default_rng(n).normal(size=(B, n)), 'period': np.full(B, 7), 'horizon': np.array([h])})
        runs.append(dict(zip(names, got)))
    for k, node in enumerate(shapers):
        data, shape = node.input
        if shape in constant:
            continue
        wanted = np.array([r[shape] for r in runs])
        dims = np.array([(r[data].shape + (0,) * 9)[:wanted.shape[1]] for r in runs])
        fixed = [int(wanted[0, j]) if (wanted[:, j] == wanted[0, j]).all() else 0 if (wanted[:, j] == dims[:, j]).all() else -1
                 for j in range(wanted.shape[1])]
        if fixed.count(-1) > 1:
            continue
        name = f'shape_{k}'
        m.graph.initializer.append(onnx.numpy_helper.from_array(np.array(fixed, dtype=np.int64), name))
        node.input[1] = name
    used = True
    while used:
        asked = {i for n in m.graph.node for i in n.input} | {o.name for o in m.graph.output}
        used = [n for n in m.graph.node if not any(o in asked for o in n.output)]
        for n in used:
            m.graph.node.remove(n)
    onnx.save(m, path)


def quantised(path):
    """Weights to 16 bits in the file: each 32-bit weight becomes a 16-bit one and a Cast. Tables of the formulas stay as they are."""
    m = onnx.load(path)
    kept, casts, tables = [], [], {(model.MAX_CONTEXT, 11), (12, model.MAX_HORIZON + 48)}
    for w in m.graph.initializer:
        a = onnx.numpy_helper.to_array(w)
        if a.dtype == np.float32 and a.size > 256 and a.shape not in tables:
            half = onnx.numpy_helper.from_array(a.astype(np.float16), w.name + '_16')
            casts.append(onnx.helper.make_node('Cast', [half.name], [w.name], to=onnx.TensorProto.FLOAT))
            w = half
        kept.append(w)
    del m.graph.initializer[:]
    m.graph.initializer.extend(kept)
    nodes = list(m.graph.node)
    del m.graph.node[:]
    m.graph.node.extend(casts + nodes)
    m.doc_string = 'presage: zero-shot probabilistic forecasting'
    onnx.checker.check_model(m)
    onnx.save(m, path)


def named(net, path):
    """Weights in the file get the names they have in the network, ".T" added where they lie transposed."""
    m = onnx.load(path)
    weights = {k: v.numpy() for k, v in net.state_dict().items()}
    names = {}
    for w in m.graph.initializer:
        a = onnx.numpy_helper.to_array(w)
        for k, v in weights.items():
            if a.dtype == np.float32 and k not in names.values() and k + '.T' not in names.values():
                if a.shape == v.shape and np.array_equal(a, v):
                    names[w.name] = k
                    break
                if a.shape == v.T.shape and np.array_equal(a, v.T):
                    names[w.name] = k + '.T'
                    break
    lost = set(weights) - {n.removesuffix('.T') for n in names.values()}
    assert not lost, f'not found in the file, or equal to others (train longer): {lost}'
    for w in m.graph.initializer:
        w.name = names.get(w.name, w.name)
    for node in m.graph.node:
        for k, name in enumerate(node.input):
            node.input[k] = names.get(name, name)
    onnx.save(m, path)


def weights_of(path):
    """The weights in an exported file, as a state of the network, and its size."""
    held = {w.name.removesuffix('_16'): torch.from_numpy(onnx.numpy_helper.to_array(w).astype(np.float32))
            for w in onnx.load(path).graph.initializer if w.data_type in (onnx.TensorProto.FLOAT, onnx.TensorProto.FLOAT16)}
    state = {k.removesuffix('.T'): v.T.contiguous() if k.endswith('.T') else v for k, v in held.items()}
    d, ff = state['blocks.0.up.weight'].shape[::-1]
    layers = 1 + max(int(k.split('.')[1]) for k in state if k.startswith('blocks.'))
    net = model.Net(d, layers, ff)
    net.load_state_dict({k: v for k, v in state.items() if k in net.state_dict()})
    return {'mean': net.state_dict(), 'size': net.size}


def export(net, path):
    whole = Whole(net.eval())
    context = torch.randn(3, 300, dtype=torch.float64).cumsum(1)
    context[0, 7] = float('nan')
    args = (context, torch.tensor([12, 7, 1]), torch.tensor([70]))
    torch.onnx.register_custom_op_symbolic('aten::asinh', lambda g, x: g.op('Asinh', x), 17)
    with torch.no_grad():
        torch.onnx.export(whole, args, path, input_names=['context', 'period', 'horizon'], output_names=['quantiles', 'embedding'],
                          opset_version=17, dynamo=False,
                          dynamic_axes={'context': {0: 'batch', 1: 'length'}, 'period': {0: 'batch'},
                                        'quantiles': {0: 'batch', 1: 'steps'}, 'embedding': {0: 'batch'}})
    settled(path)
    named(net, path)
    quantised(path)


def check(net, path):
    """The largest difference between the network and the file, in deviations of the series' steps, over lengths and horizons."""
    whole, worst = Whole(net.eval()), 0.
    session = onnxruntime.InferenceSession(path)
    g = torch.Generator().manual_seed(5)
    for n, h, m in ((1, 3, 1), (5, 64, 4), (33, 1, 12), (64, 64, 7), (255, 128, 24), (300, 70, 24), (512, 720, 7), (3000, 65, 168)):
        x = torch.randn(4, n, generator=g, dtype=torch.float64).cumsum(1) * 10 + 1e6
        x[0, :n // 3] = float('nan')
        with torch.no_grad():
            q, e = whole(x, torch.full((4,), m), torch.tensor([h]))
        got = session.run(None, {'context': x.numpy(), 'period': np.full(4, m), 'horizon': np.array([h])})
        assert got[0].shape == (4, h, 9) and np.isfinite(got[0]).all(), (n, h, got[0].shape)
        assert (np.diff(got[0], axis=2) >= 0).all(), 'quantiles cross'
        worst = max(worst, float(np.abs(q.numpy() - got[0]).max()) / 10)
    return worst


def main():
    p = argparse.ArgumentParser()
    p.add_argument('from_')
    p.add_argument('out')
    a = p.parse_args()
    if a.from_.endswith('.onnx'):
        torch.save(weights_of(a.from_), a.out)
        return
    state = torch.load(a.from_, weights_only=True, map_location='cpu')
    net = model.Net(**state['size'])
    net.load_state_dict({k: v.half().float() for k, v in state['mean'].items()})
    export(net, a.out)
    difference = check(net, a.out)
    print('largest difference from the network:', difference)
    assert difference < .01, 'the file is another network'
    back = weights_of(a.out)['mean']
    assert all(torch.equal(back[k], v) for k, v in net.state_dict().items()), 'the weights do not come back'


if __name__ == '__main__':
    main()
