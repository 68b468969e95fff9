"""Writes the manifest of an exported slug.

    python manifest.py CHECKPOINT.pt SLUG.onnx LOG --cost "..." --seeds "..." [--evaluation SCORES.json]
"""
import argparse
import hashlib
import json
import os

import onnx
import torch

import model

# what bench/forecast-tasks found to be clearly better than simple ways
TASKS = ['forecast', 'anomaly', 'impute']
# what decides the weights and the graph
PARTS = ('components.py', 'families.py', 'generator.py', 'bases.py', 'model.py', 'train.py', 'export.py')


def digest(path):
    with open(path, 'rb') as f:
        return hashlib.sha256(f.read()).hexdigest()


def main():
    p = argparse.ArgumentParser()
    p.add_argument('checkpoint')
    p.add_argument('onnx')
    p.add_argument('log')
    p.add_argument('--cost', required=True)
    p.add_argument('--seeds', required=True)
    p.add_argument('--evaluation')
    a = p.parse_args()
    state = torch.load(a.checkpoint, weights_only=True, map_location='cpu')
    slug, here = state['slug'], os.path.dirname(os.path.abspath(__file__))
    lines = [json.loads(line) for line in open(a.log)]
    graph = onnx.load(a.onnx).graph
    manifest = {
        'slug': slug, 'family': 'presage', 'file': os.path.basename(a.onnx), 'sha256': digest(a.onnx), 'bytes': os.path.getsize(a.onnx),
        'licence': 'Apache-2.0', 'commercial_use': True,
        'parameters': sum(v.numel() for k, v in state['mean'].items()), 'network': state['size'], 'weights': 'float16',
        'caps': {'context': model.MAX_CONTEXT, 'horizon': model.MAX_HORIZON}, 'tasks': TASKS, 'quantiles': model.QUANTILES,
        'inputs': {'context': 'float64 [batch, length], newest last, NaN where missing',
                   'period': 'int64 [batch], steps of the main season, 1 for none', 'horizon': 'int64 [1], 1 to 720'},
        'outputs': {'quantiles': 'float64 [batch, horizon, 9], in the units of the context',
                    'embedding': f'float32 [batch, {2 * state["size"]["d"]}]'},
        'opset': next(o.version for o in onnx.load(a.onnx).opset_import if not o.domain), 'nodes': len(graph.node),
        'data': {'kind': 'synthetic only: recipe/generator.py makes every series; no file is read',
                 'recipe': {f: digest(os.path.join(here, f)) for f in PARTS}},
        'training': {'cost': a.cost, 'seconds': round(state['seconds']), 'steps': state['steps'], 'series': state['series'],
                     'loss_on_held_out_series': lines[-1]['held'], 'seeds': a.seeds},
    }
    if a.evaluation:
        manifest['evaluation'] = json.load(open(a.evaluation))
    with open(os.path.splitext(a.onnx)[0] + '.json', 'w') as f:
        json.dump(manifest, f, indent=2, ensure_ascii=False)
        f.write('\n')


if __name__ == '__main__':
    main()
