"""Trains one slug on generated series, and goes on from its checkpoint after a stop.

    python train.py --out FOLDER --slug nano --flat 6000 --fall 2000 [--ranks 2] [--start OTHER.pt] [--device cuda]

Each rank makes its own series and its own gradients, which are averaged (gloo). Hidden matrices are trained by Muon (momentum
orthogonalised by Newton-Schulz, Jordan 2024), all else by AdamW; the learning rate is flat and then falls to zero (warm-up,
stable, decay: Hu et al. 2024); what is kept is the exponential mean of the weights. What a step draws hangs on the seed, the rank
and its number alone: a run that was stopped, or had other work beside it, ends with the same bits on the same machine.
"""
import argparse
import json
import math
import os
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

import generator
import model

SIZES = {'nano': dict(d=128, layers=4, ff=384), 'mini': dict(d=192, layers=6, ff=768), 'base': dict(d=256, layers=8, ff=1024)}
# (context, share of batches); horizons: mostly 64 and 128, sometimes far
CONTEXTS = [(64, .31), (128, .25), (256, .18), (512, .16), (1024, .06), (2048, .04)]
FAR = (256, 512, 720)


def pick(g, pairs):
    k = torch.rand((), generator=g).item() * sum(w for _, w in pairs)
    for value, w in pairs:
        k -= w
        if k <= 0:
            break
    return value


def shape(g):
    L = pick(g, CONTEXTS)
    far = L >= 256 and torch.rand((), generator=g).item() < .12
    H = FAR[int(torch.randint(0, 3, (), generator=g))] if far else pick(g, [(64, .62), (128, .38)])
    return L, H


def orthogonal(G, half=False):
    """Nearest semi-orthogonal matrix, roughly, by five Newton-Schulz steps."""
    X = G if G.shape[0] <= G.shape[1] else G.T
    X = (X / (X.norm() + 1e-7)).to(torch.bfloat16 if half else X.dtype)
    for _ in range(5):
        A = X @ X.T
        X = 3.4445 * X + (-4.7750 * A + 2.0315 * A @ A) @ X
    X = X.to(G.dtype)
    return X if G.shape[0] <= G.shape[1] else X.T


class Muon:
    def __init__(self, named, lr, half=False):
        self.items = [(p, torch.zeros_like(p), parts) for p, parts in named]
        self.lr, self.half = lr, half

    def step(self, rate, rank, ranks):
        """Each rank orthogonalises its share of the matrices; the sum over ranks brings them together."""
        updates = []
        for k, (p, momentum, parts) in enumerate(self.items):
            momentum.mul_(.95).add_(p.grad)
            mine = k % ranks == rank
            g = p.grad + .95 * momentum
            updates.append(torch.cat([orthogonal(c, self.half) for c in g.chunk(parts)]) if mine else torch.zeros_like(p))
        if ranks > 1 and updates:
            flat = torch.cat([u.reshape(-1) for u in updates])
            dist.all_reduce(flat)
            updates = [f.view_as(u) for f, u in zip(flat.split([u.numel() for u in updates]), updates)]
        for (p, _, parts), O in zip(self.items, updates):
            p.mul_(1 - self.lr * rate * .05)
            p.add_(O, alpha=-self.lr * rate * .2 * math.sqrt(max(O.shape[0] / parts, O.shape[1])))


def seed_of(seed, step, rank=-1):
    """Of a step's draws: far apart for neighbours (Fibonacci hashing, Knuth 1998, 6.4)."""
    return (seed * 1_000_003 + rank * 104_729 + step) * 0x9E3779B97F4A7C15 % 2 ** 63


def rate_of(step, a):
    """The learning rate's share at a step, counted from 0: up over `warm`, 1, down to 0 over the last `fall`."""
    return min(1., (step + 1) / a.warm, (a.flat + a.fall - step) / (a.fall + 1))


def validation(device):
    s = generator.Series(987654321, device)
    return [(L, H, s.batch(192, L, H)) for L, H in ((64, 64), (128, 64), (256, 128), (512, 128), (1024, 256), (512, 720))]


@torch.no_grad()
def evaluate(net, sets):
    return [model.loss(*net(b[0], b[1], b[3], H), b[2]).mean().item() for _, H, b in sets]


def run(rank, a):
    torch.set_num_threads(1)
    torch.manual_seed(1)
    if a.ranks > 1:
        os.environ.setdefault('MASTER_ADDR', '127.0.0.1')
        os.environ.setdefault('MASTER_PORT', str(a.port))
        dist.init_process_group('gloo', rank=rank, world_size=a.ranks)
    net = model.Net(**SIZES[a.slug]).to(a.device)
    net.half = a.half
    path = os.path.join(a.out, a.slug + '.pt')
    steps, series, seconds, state = 0, 0, 0., None
    if os.path.exists(path):
        state = torch.load(path, weights_only=True, map_location=a.device)
        net.load_state_dict(state['now'])
        steps, series, seconds = state['steps'], state['series'], state['seconds']
    elif a.start:
        grow(net, torch.load(a.start, weights_only=True, map_location=a.device))
    hidden = {id(p): (3 if n.endswith('qkv.weight') else 1) for n, p in net.named_parameters()
              if p.dim() == 2 and n.startswith('blocks')} if a.muon else {}
    muon = Muon([(p, hidden[id(p)]) for p in net.parameters() if id(p) in hidden], a.muon_rate, a.half)
    rest = [p for p in net.parameters() if id(p) not in hidden]
    adam = torch.optim.AdamW([{'params': [p for p in rest if p.dim() > 1], 'weight_decay': .02},
                              {'params': [p for p in rest if p.dim() < 2], 'weight_decay': 0.}], lr=a.rate, betas=(.9, .98))
    mean = {k: v.clone() for k, v in net.state_dict().items()}
    if state:
        adam.load_state_dict(state['adam'])
        for (_, m, _), v in zip(muon.items, state['muon']):
            m.copy_(v)
        mean = state['mean']
    # every rank draws the same shapes, and series of its own
    shapes, source = torch.Generator(), generator.Series(0, a.device)
    sets = validation(a.device) if rank == 0 else None
    start, said, losses = time.time() - seconds, time.time(), []
    while steps < a.flat + a.fall:
        rate = rate_of(steps, a)
        shapes.manual_seed(seed_of(a.seed, steps))
        source.g.manual_seed(seed_of(a.seed, steps, rank))
        L, H = shape(shapes)
        B = a.batch if L < 1024 and H <= 128 else a.batch // 2
        x, mask, y, m = source.batch(B, L, H)
        s, i = net(x, mask, m, H)
        l = model.loss(s, i, y).mean()
        net.zero_grad(set_to_none=True)
        l.backward()
        grads = [p.grad for p in net.parameters()]
        flat = torch.cat([g.reshape(-1) for g in grads])
        if a.ranks > 1:
            dist.all_reduce(flat)
            flat /= a.ranks
        norm = flat.norm()
        steps += 1
        if not torch.isfinite(norm):
            print('skipped a batch whose gradient was not finite', steps, L, H, flush=True)
            continue
        flat *= min(1., 1. / (norm.item() + 1e-6))
        at = 0
        for g in grads:
            g.copy_(flat[at:at + g.numel()].view_as(g))
            at += g.numel()
        for group in adam.param_groups:
            group['lr'] = a.rate * rate
        adam.step()
        with torch.no_grad():
            muon.step(rate, rank, a.ranks)
            series += B * a.ranks
            keep = min(.998, (1 + steps) / (10 + steps))
            for k, v in net.state_dict().items():
                mean[k].lerp_(v, 1 - keep)
        losses.append(l.item())
        if rank == 0 and time.time() - said > a.every:
            said = time.time()
            report(net, mean, sets, a, path, said - start, steps, losses, series, rate, adam, muon)
    if rank == 0 and losses:                 # none: the checkpoint was the last
        report(net, mean, sets, a, path, time.time() - start, steps, losses, series, 0., adam, muon)


def report(net, mean, sets, a, path, seconds, steps, losses, series, rate, adam, muon):
    own = {k: v.clone() for k, v in net.state_dict().items()}
    net.load_state_dict(mean)
    held = evaluate(net, sets)
    net.load_state_dict(own)
    torch.save({'now': own, 'mean': mean, 'size': net.size, 'slug': a.slug, 'seconds': seconds, 'steps': steps, 'series': series,
                'adam': adam.state_dict(), 'muon': [m for _, m, _ in muon.items]}, path + '.new')
    os.replace(path + '.new', path)
    line = dict(seconds=round(seconds), steps=steps, series=series, train=round(sum(losses[-200:]) / len(losses[-200:]), 4),
                held=round(sum(held) / len(held), 4), each=[round(v, 4) for v in held], rate=round(rate, 3))
    with open(os.path.join(a.out, a.slug + '.log'), 'a') as log:
        print(json.dumps(line), file=log)


def grow(net, state):
    """Starts a wider and deeper network from a smaller one (function-preserving where the form allows: Net2Net, bert2BERT)."""
    small, own = state['mean'], net.state_dict()
    d, D = state['size']['d'], net.size['d']
    for name, w in own.items():
        parts = name.split('.')
        if parts[0] == 'blocks' and int(parts[1]) >= state['size']['layers']:
            continue
        v = small[name]
        if v.shape == w.shape:
            w.copy_(v)
            continue
        place(w, v, name, d, D)
    net.load_state_dict(own)


def place(w, v, name, d, D):
    """A smaller tensor into a larger one: old units keep their weights; new ones feed nothing old, and old ones nothing new yet."""
    kept = w.clone()
    writes_stream = name.startswith(('context.', 'context2.2', 'future.', 'future2.2', 'all.2', 'place', 'ahead')) \
        or name.endswith(('o.weight', 'down.weight', 'down.bias'))
    if name.endswith('.g'):
        # the mean square over D is that over d times d / D
        w.fill_(1.)
        w[:d] = v * math.sqrt(d / D)
        w[d:] = v.mean() * math.sqrt(d / D)
        return
    if name == 'place':
        w.zero_()
        w[:, :d] = v
        return
    if name.endswith('qkv.weight'):
        heads, HEADS = d // 32, D // 32
        new, old = w.view(3, HEADS, 32, D), v.view(3, heads, 32, d)
        new[:, :heads].zero_()
        new[:, :heads, :, :d] = old
        return
    if w.dim() == 1:
        w[v.shape[0]:] = 0 if writes_stream else kept[v.shape[0]:]
        w[:v.shape[0]] = v
        return
    if writes_stream:
        w[v.shape[0]:] = 0
    w[:v.shape[0], v.shape[1]:] = 0
    w[:v.shape[0], :v.shape[1]] = v


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--out', required=True)
    p.add_argument('--slug', choices=SIZES, required=True)
    p.add_argument('--flat', type=int, required=True, help='steps at the full learning rate')
    p.add_argument('--fall', type=int, required=True, help='steps over which it falls to zero')
    p.add_argument('--ranks', type=int, default=1)
    p.add_argument('--start')
    p.add_argument('--device', default='cpu')
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--batch', type=int, default=128)
    p.add_argument('--rate', type=float, default=1.5e-3)
    p.add_argument('--muon', type=int, default=1)
    p.add_argument('--muon-rate', type=float, default=1e-2)
    p.add_argument('--half', action='store_true', help='products in bfloat16: up to twice as fast where the processor has them')
    p.add_argument('--warm', type=int, default=150)
    p.add_argument('--every', type=float, default=60, help='seconds between checkpoints')
    p.add_argument('--port', type=int, default=29511)
    a = p.parse_args()
    os.makedirs(a.out, exist_ok=True)
    if a.ranks == 1:
        run(0, a)
    else:
        mp.spawn(run, (a,), a.ranks)


if __name__ == '__main__':
    main()
