"""Writes what fine-tuning runs, from an exported slug (the weights come from that file, no checkpoint is needed):

    python gradients.py SLUG.onnx FOLDER

prepare.onnx      context, period, target -> what the network sees of a window, and what it should say; the same for every slug
SLUG.score.onnx   weights, prepared -> loss of each window; u: its quantiles in the network's units; state: what the last layers see
SLUG.train.onnx   weights, prepared -> loss of each window, gradient of their sum for every weight
SLUG.head.onnx    the last layers' weights, state -> loss, u, gradients: training them alone needs no pass through the rest

Weights are inputs, named as in the network, so these files hold none. The gradients are PyTorch's autograd, traced once.
"""
import argparse
import copy
import hashlib
import json
import os
from types import SimpleNamespace

import numpy as np
import onnx
import onnxruntime
import torch
import torch.nn as nn
from torch.export.experimental import _export_forward_backward
from torch.export.graph_signature import InputKind

import export
import model

PREPARED = ['tokens', 'seen', 'globals', 'tried', 'bases', 'future', 'aim', 'share']
OF_HEAD = ['state', 'tried', 'bases', 'aim', 'share']
LAST = ('head', 'head1', 'weigh', 'trust')
OPSET = 18


class Prepare(nn.Module):
    """
    context [B, n] float64, period [B], target [B, H] float64 (H a multiple of 16, at least 64; NaN where not asked) -> PREPARED, and
    centre [B, H], width [B, 1]: a forecast is centre + width * sinh(u). Scales as export.Whole does.
    """

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, context, period, target):
        known = torch.logical_not(torch.isnan(context))
        mask = known.to(torch.float32)
        values = torch.where(known, context, 0.)
        n = known.to(torch.float64).sum(1, keepdim=True).clamp(min=1.)
        largest = values.abs().amax(1, keepdim=True).clamp(min=1e-300)
        level = ((values / largest).sum(1, keepdim=True) / n) * largest
        centred = torch.where(known, context - level, 0.)
        widest = centred.abs().amax(1, keepdim=True)
        varies = widest > 1e-15 * largest
        scale = torch.where(varies, widest, 1.)
        spread = torch.where(varies, widest, .01 * values.abs().amax(1, keepdim=True))
        sign = torch.where(level < 0, -1., 1.).to(torch.float64)
        x = torch.where(varies, sign * centred / scale, 0.).to(torch.float32)
        zero = torch.where(varies, level.abs() / scale, 100.).clamp(max=1e6).to(torch.float32)
        left = torch.maximum(torch.remainder(-1 * torch.tensor(x.shape[1]), 64), 320 - torch.tensor(x.shape[1]))
        blank = torch.zeros(x.shape[0], left)
        x, mask = torch.cat([blank, x], 1), torch.cat([blank, mask], 1)
        i = model.Inputs(self.net, x, mask, period, target.shape[1], zero)
        asked = torch.logical_not(torch.isnan(target))
        y = (sign * torch.where(asked, target - level, 0.) / spread.clamp(min=1e-300)).clamp(-1e30, 1e30).to(torch.float32)
        aim = torch.asinh((((y - i.loc) / i.sc - i.base) / i.unit).clamp(-1e4, 1e4))
        share = asked.to(torch.float32)
        share = share / share.sum(1, keepdim=True).clamp(min=1.)
        spread = sign * spread
        centre = level + spread * (i.loc + i.sc * i.base).to(torch.float64)
        width = spread * (i.sc * i.unit).to(torch.float64)
        return i.tokens, i.seen, i.globals, i.tried, i.bases, i.future, aim * asked.to(torch.float32), share, centre, width


class Loss(nn.Module):
    """PREPARED -> the summed loss, that of each window [B], u [B, H, 9], state [B, H / 16, d]."""

    def __init__(self, net):
        super().__init__()
        self.net = net
        self.register_buffer('levels', torch.tensor(model.QUANTILES), persistent=False)

    def forward(self, tokens, seen, globals_, tried, bases, future, aim, share):
        i = SimpleNamespace(tokens=tokens, seen=seen, globals=globals_, tried=tried, bases=bases, future=future, H=future.shape[1] * 16)
        state = self.net.hidden(i)[1]
        return *self.judged(self.net.steps(i, state), aim, share), state.detach()

    def judged(self, u, aim, share):
        e = aim[..., None] - u
        each = (torch.maximum(self.levels * e, (self.levels - 1) * e).mean(2) * share).sum(1)
        return each.sum(), each.detach(), u.detach()


class Head(Loss):
    """The last layers alone: OF_HEAD -> the summed loss, that of each window, u."""

    def __init__(self, net):
        super().__init__(nn.ModuleDict({n: getattr(net, n) for n in LAST}))

    def forward(self, state, tried, bases, aim, share):
        i = SimpleNamespace(tried=tried, bases=bases, H=state.shape[1] * 16)
        return self.judged(model.Net.steps(SimpleNamespace(**dict(self.net.items())), i, state), aim, share)


def example(net, B=3, N=20, M=4):
    g = torch.Generator().manual_seed(1)

    def r(*shape):
        return torch.randn(*shape, generator=g)
    return (r(B, N, net.context.in_features), (r(B, N) > -1).float(), r(B, model.GLOBALS), r(B, len(model.SHIFTS), model.BASES),
            r(B, model.BASES, 16 * M), r(B, M, net.future.in_features), r(B, 16 * M), torch.rand(B, 16 * M, generator=g))


def head_example(net):
    _, _, _, tried, bases, future, aim, share = example(net)
    return torch.randn(*future.shape[:2], net.norm.g.shape[0]), tried, bases, aim, share


B, N, M = (torch.export.Dim(n, min=least, max=most) for n, least, most in (('B', 2, 4096), ('N', 2, 44), ('M', 4, 45)))
SHAPES = [{0: B, 1: N}, {0: B, 1: N}, {0: B}, {0: B}, {0: B, 2: 16 * M}, {0: B, 1: M}, {0: B, 1: 16 * M}, {0: B, 1: 16 * M}]
HEAD_SHAPES = [SHAPES[5], SHAPES[3], SHAPES[4], *SHAPES[6:]]


def with_weights(program, kept):
    """
    An exported program as a module (weights, data) -> its outputs from the second on (the first is the summed loss), those named in
    `kept` (places) and all gradients; its parameters are inputs. And the names of the parameters.
    """
    specs = program.graph_signature.input_specs
    graph = torch.fx.GraphModule(program.graph_module, copy.deepcopy(program.graph))
    graph.graph.set_codegen(torch.fx.graph.CodeGen())
    graph.recompile()
    held = {**program.state_dict, **program.constants}
    plain = sum(o.kind.name != 'GRADIENT_TO_PARAMETER' for o in program.graph_signature.output_specs)

    class Flat(nn.Module):
        def __init__(self):
            super().__init__()
            self.graph = graph
            for k, s in enumerate(specs):
                if s.kind in (InputKind.BUFFER, InputKind.CONSTANT_TENSOR):
                    self.register_buffer(f'held_{k}', held[s.target])

        def forward(self, weights, data):
            w, d = iter(weights), iter(data)
            args = [next(w) if s.kind == InputKind.PARAMETER else next(d) if s.kind == InputKind.USER_INPUT
                    else getattr(self, f'held_{k}') for k, s in enumerate(specs)]
            out = tuple(self.graph(*args))
            return *(out[k] for k in kept), *out[plain:]
    names = [s.target.removeprefix('net.') for s in specs if s.kind == InputKind.PARAMETER]
    return Flat().eval(), names


def plainly(m):
    """Without traces of the source."""
    for thing in [*m.graph.node, *m.graph.input, *m.graph.output, *m.graph.initializer, m.graph, m]:
        del thing.metadata_props[:]
        thing.doc_string = ''
    del m.graph.value_info[:], m.functions[:]
    m.producer_name, m.producer_version = 'presage', ''


def write(exported, net, data, inputs, shapes, outputs, path):
    """`outputs`: the names of those kept, by place among the plain ones (1 is the loss)."""
    flat, names = with_weights(exported, list(outputs))
    weights = dict(net.named_parameters())
    gradients = ['d.' + n for n in names] if len(exported.graph_signature.output_specs) > 4 else []
    program = torch.onnx.export(
        flat, ([weights[n].detach() for n in names], list(data)), dynamo=True, opset_version=OPSET, optimize=True, verbose=False,
        input_names=names + inputs, output_names=list(outputs.values()) + gradients, dynamic_shapes=([{}] * len(names), shapes))
    m = program.model_proto
    plainly(m)
    onnx.checker.check_model(m)
    onnx.save(m, path)
    return onnxruntime.InferenceSession(path), names


def prepare(net, path):
    """The older exporter, as for the slug itself: its graph of these formulas is half as large."""
    context, target = torch.randn(3, 300, dtype=torch.float64).cumsum(1), torch.randn(3, 64, dtype=torch.float64)
    context[0, :7], target[1, 50:] = float('nan'), float('nan')
    args = (context, torch.tensor([12, 7, 1]), target)
    torch.onnx.register_custom_op_symbolic('aten::asinh', lambda g, x: g.op('Asinh', x), 17)
    names = ['context', 'period', 'target']
    if not os.path.exists(path):
        with torch.no_grad():
            torch.onnx.export(Prepare(net), args, path, dynamo=False, opset_version=17, input_names=names,
                              output_names=PREPARED + ['centre', 'width'],
                              dynamic_axes={'context': {0: 'B', 1: 'n'}, 'period': {0: 'B'}, 'target': {0: 'B', 1: 'H'}})
        m = onnx.load(path)
        plainly(m)
        onnx.save(m, path)
    with torch.no_grad():
        wanted = Prepare(net)(*args)
    got = onnxruntime.InferenceSession(path).run(None, dict(zip(names, (a.numpy() for a in args))))
    worst = max(float(np.abs(a.numpy() - b).max()) for a, b in zip(wanted, got))
    print('prepare: largest difference', worst)
    assert worst < 1e-3


def check(session, names, net):
    """The gradients in the file against autograd's own, over several sizes."""
    weights = dict(net.named_parameters())
    for size in ((2, 5, 4), (32, 20, 4), (5, 44, 7)):
        data = example(net, *size)
        got = session.run(None, {**{n: weights[n].detach().numpy() for n in names}, **dict(zip(PREPARED, (d.numpy() for d in data)))})
        net.zero_grad()
        Loss(net)(*data)[0].backward()
        norm = np.linalg.norm
        worst = max(float(norm(a - weights[n].grad.numpy()) / norm(weights[n].grad.numpy())) for n, a in zip(names, got[1:]))
        print('gradients', size, 'worst relative error', worst)
        assert worst < 1e-4


def digest(path):
    with open(path, 'rb') as f:
        return hashlib.sha256(f.read()).hexdigest()


def main():
    p = argparse.ArgumentParser()
    p.add_argument('slug')
    p.add_argument('folder')
    a = p.parse_args()
    os.makedirs(a.folder, exist_ok=True)
    state = export.weights_of(a.slug)
    net = model.Net(**state['size']).eval()
    net.load_state_dict(state['mean'])
    slug = os.path.basename(a.slug).removesuffix('.onnx')
    files = {'prepare': 'prepare.onnx', **{k: f'{slug}.{k}.onnx' for k in ('score', 'train', 'head')}}
    at = {k: os.path.join(a.folder, f) for k, f in files.items()}

    prepare(net, at['prepare'])
    forward = torch.export.export(Loss(net), example(net), dynamic_shapes=tuple(SHAPES))
    write(forward, net, example(net), PREPARED, SHAPES, {1: 'loss', 2: 'u', 3: 'state'}, at['score'])
    session, names = write(_export_forward_backward(forward), net, example(net), PREPARED, SHAPES, {1: 'loss'}, at['train'])
    head = torch.export.export(Head(net), head_example(net), dynamic_shapes=tuple(HEAD_SHAPES))
    write(_export_forward_backward(head), net, head_example(net), OF_HEAD, HEAD_SHAPES, {1: 'loss', 2: 'u'}, at['head'])
    check(session, names, net)
    with open(os.path.join(a.folder, f'{slug}.training.json'), 'w') as f:
        json.dump({'of': digest(a.slug), 'files': {k: {'file': files[k], 'sha256': digest(at[k])} for k in files}}, f, indent=2)
        f.write('\n')


if __name__ == '__main__':
    main()
