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
  ImageDecoder: [],
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

/** The same of operators that give no more than they are given. */
const CUTS: Readonly<Record<string, readonly number[]>> = {
  Compress: [1],
  If: [0],
  NonMaxSuppression: [],
  NonZero: [],
  Reshape: [1],
  SequenceAt: [1],
  SequenceErase: [1],
  SequenceInsert: [2],
  Slice: [1, 2, 3, 4],
  Split: [1],
  SplitToSequence: [1],
  Squeeze: [1],
  StringSplit: [],
  TopK: [1],
  Unique: [],
  Unsqueeze: [1],
  ...Object.fromEntries(
    ['L1', 'L2', 'LogSum', 'LogSumExp', 'Max', 'Mean', 'Min', 'Prod', 'Sum', 'SumSquare'].map(by => [
      `Reduce${by}`,
      [1],
    ]),
  ),
};

/** These tell of a tensor's size, which is the same for every series unless its values cut something. */
const OF_SIZE = ['Shape', 'Size'];

/** What of a tensor comes from the values of the series: nothing, its numbers, or its size, too. */
type Hangs = 0 | 1 | 2;
/** A node that takes a tensor: as which of its inputs, or from a body of its own (null). */
type Taker = { readonly step: Step; readonly place: number | null };
/** A node, and what hangs of all that it gives to others and to its bodies. */
type Step = { readonly op: string; readonly gives: readonly string[]; hangs: Hangs };

/**
 * What may not run, each once, and why. A model answers many, so that what it takes must not hang on what it
 * is given: `Loop` goes round until it likes, and sizes may not be computed from values. `Scan` goes over a
 * tensor of a known size, and `If` chooses; both are taken. So is what cuts a tensor by values, as `NonZero`
 * does, unless another's size is computed from what is left. Nodes may stand in any order; the time it takes
 * grows as the number of tensors that they take does.
 */
export function forbiddenIn({ graph }: Pick<Structure, 'graph'>): string[] {
  const faults = new Set<string>();
  const takers = new Map<string, Taker[]>();
  for (const node of nodesIn(graph)) {
    const { op, domain, inputs, outputs, bodies } = node;
    if (!DOMAINS.includes(domain)) faults.add(`operators of '${domain}'`);
    else if (op === 'Loop') faults.add('Loop: how often it goes round may hang on the series');
    else if (RANDOM.includes(op)) faults.add(`${op}: it never answers the same twice`);
    const gives = [...outputs, ...bodies.flatMap(body => namesOf(body.inputs))];
    const step: Step = { op, gives, hangs: 0 };
    const takes = (name: string, place: number | null): void => {
      // What is left out is called nothing
      if (name === '') return;
      const all = takers.get(name);
      if (all) all.push({ step, place });
      else takers.set(name, [{ step, place }]);
    };
    inputs.forEach(takes);
    for (const body of bodies) for (const name of namesOf(body.outputs)) takes(name, null);
  }
  const known = new Map<string, Hangs>();
  const found = namesOf(graph.inputs).map((name): [string, Hangs] => [name, 1]);
  // Grows on the way: each tensor, and each node, comes to hang on more twice at most
  for (const [name, hangs] of found) {
    if ((known.get(name) ?? 0) >= hangs) continue;
    known.set(name, hangs);
    for (const { step, place } of takers.get(name) ?? []) {
      if (isIn(SIZES, step.op, place))
        faults.add(`${step.op}: the size of what it gives hangs on the values of the series`);
      const then = hangsThen(step.op, place, hangs);
      if (then <= step.hangs) continue;
      step.hangs = then;
      for (const given of step.gives) if (given !== '') found.push([given, then]);
    }
  }
  return [...faults];
}

/** Of a graph and of all bodies in it. */
function* nodesIn({ nodes }: Graph): Generator<Node> {
  for (const node of nodes) {
    yield node;
    for (const body of node.bodies) yield* nodesIn(body);
  }
}

const namesOf = (tensors: Graph['inputs']): string[] => tensors.map(({ name }) => name);

/** What hangs of what a node gives, as so much does of what it takes. */
function hangsThen(op: string, place: number | null, hangs: Hangs): Hangs {
  if (hangs === 2 || isIn(CUTS, op, place)) return 2;
  return OF_SIZE.includes(op) ? 0 : 1;
}

/** Whether a table has an input of an operator. */
function isIn(table: Readonly<Record<string, readonly number[]>>, op: string, place: number | null): boolean {
  const places = Object.hasOwn(table, op) ? table[op] : undefined;
  if (!places || place === null) return false;
  return places.length === 0 || places.includes(place);
}
