import type { Graph, Node, Structure } from './structure.js';

/** Operators of ONNX itself; all others need code that is not here. */
const DOMAINS = ['', 'ai.onnx', 'ai.onnx.ml'];

/** Never the same twice. */
const RANDOM = [
  ...['RandomNormal', 'RandomNormalLike', 'RandomUniform', 'RandomUniformLike'],
  ...['Multinomial', 'Bernoulli'],
];

/** The inputs of operators that say how large what comes out is, or how long it takes; none: all of them. */
const SIZES: Readonly<Record<string, readonly number[]>> = {
  AffineGrid: [1],
  BlackmanWindow: [],
  CenterCropPad: [1],
  Col2Im: [1, 2],
  ConstantOfShape: [],
  DFT: [1],
  Expand: [1],
  HammingWindow: [],
  HannWindow: [],
  MaxUnpool: [2],
  MelWeightMatrix: [],
  OneHot: [1],
  Pad: [1],
  Range: [],
  Resize: [2, 3],
  STFT: [1, 3],
  Tile: [1, 2],
  Upsample: [1],
};

/** These tell of a tensor's size, which is the same for every series. */
const OF_SIZE = ['Shape', 'Size'];

/**
 * What may not run, each once, and why. A model answers many, so that what it takes must not hang on what it
 * is given: `Loop` goes round until it likes, and sizes may not be computed from values. `Scan` goes over a
 * tensor of a known size, and `If` chooses; both are taken.
 */
export function forbiddenIn({ graph, opsets }: Pick<Structure, 'graph' | 'opsets'>): string[] {
  const faults = new Set<string>();
  // Some exporters name domains that they then do not use
  for (const domain of Object.keys(opsets))
    if (!DOMAINS.includes(domain) && uses(graph, domain)) faults.add(`operators of '${domain}'`);
  const ofValues = new Set(graph.inputs.map(({ name }) => name));
  look(graph, ofValues, faults);
  return [...faults];
}

const uses = (graph: Graph, domain: string): boolean =>
  graph.nodes.some(node => node.domain === domain || node.bodies.some(body => uses(body, domain)));

/** `ofValues`: names of tensors whose numbers come from those of the series. */
function look(graph: Graph, ofValues: Set<string>, faults: Set<string>): void {
  for (const node of graph.nodes) {
    if (!DOMAINS.includes(node.domain)) faults.add(`operators of '${node.domain}'`);
    else if (node.op === 'Loop') faults.add('Loop: how often it goes round may hang on the series');
    else if (RANDOM.includes(node.op)) faults.add(`${node.op}: it never answers the same twice`);
    else if (sizesOf(node).some(name => ofValues.has(name)))
      faults.add(`${node.op}: the size of what it gives hangs on the values of the series`);
    const isOf = node.inputs.some(name => ofValues.has(name));
    for (const body of node.bodies) {
      if (isOf) for (const { name } of body.inputs) ofValues.add(name);
      look(body, ofValues, faults);
    }
    const inside = node.bodies.some(({ outputs }) => outputs.some(({ name }) => ofValues.has(name)));
    if ((isOf && !OF_SIZE.includes(node.op)) || inside) for (const name of node.outputs) ofValues.add(name);
  }
}

function sizesOf({ op, inputs }: Node): readonly string[] {
  const places = Object.hasOwn(SIZES, op) ? SIZES[op] : undefined;
  if (!places) return [];
  return places.length === 0 ? inputs : places.flatMap(place => inputs[place] ?? []);
}
