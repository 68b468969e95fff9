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

/** Names of tensors whose numbers, and of those whose sizes, too, come from the values of the series. */
type Hanging = { readonly numbers: Set<string>; readonly sizes: Set<string> };

/**
 * What may not run, each once, and why. A model answers many, so that what it takes must not hang on what it
 * is given: `Loop` goes round until it likes, and sizes may not be computed from values. `Scan` goes over a
 * tensor of a known size, and `If` chooses; both are taken. So is what cuts a tensor by values, as `NonZero`
 * does, unless another's size is computed from what is left.
 */
export function forbiddenIn({ graph, opsets }: Pick<Structure, 'graph' | 'opsets'>): string[] {
  const faults = new Set<string>();
  // Some exporters name domains that they then do not use
  for (const domain of Object.keys(opsets))
    if (!DOMAINS.includes(domain) && uses(graph, domain)) faults.add(`operators of '${domain}'`);
  const hanging = { numbers: new Set(graph.inputs.map(({ name }) => name)), sizes: new Set<string>() };
  // What goes round in a body is known behind it: once for each depth of bodies
  for (let known = -1; known < countOf(hanging); ) {
    known = countOf(hanging);
    look(graph, hanging, faults);
  }
  return [...faults];
}

const uses = (graph: Graph, domain: string): boolean =>
  graph.nodes.some(node => node.domain === domain || node.bodies.some(body => uses(body, domain)));

const countOf = ({ numbers, sizes }: Hanging): number => numbers.size + sizes.size;

function look(graph: Graph, hanging: Hanging, faults: Set<string>): void {
  const { numbers, sizes } = hanging;
  for (const node of graph.nodes) {
    if (!DOMAINS.includes(node.domain)) faults.add(`operators of '${node.domain}'`);
    else if (node.op === 'Loop') faults.add('Loop: how often it goes round may hang on the series');
    else if (RANDOM.includes(node.op)) faults.add(`${node.op}: it never answers the same twice`);
    else if (sayingIn(SIZES, node).some(name => numbers.has(name)))
      faults.add(`${node.op}: the size of what it gives hangs on the values of the series`);
    for (const body of node.bodies) look(body, hanging, faults);
    const from = [...node.inputs, ...node.bodies.flatMap(({ outputs }) => namesOf(outputs))];
    const isCut = sayingIn(CUTS, node).some(name => numbers.has(name));
    const isSized = isCut || from.some(name => sizes.has(name));
    const isOf = isSized || (!OF_SIZE.includes(node.op) && from.some(name => numbers.has(name)));
    for (const name of [...node.outputs, ...node.bodies.flatMap(({ inputs }) => namesOf(inputs))]) {
      if (isSized) sizes.add(name);
      if (isOf) numbers.add(name);
    }
  }
}

const namesOf = (tensors: Graph['inputs']): string[] => tensors.map(({ name }) => name);

/** The inputs of a node that a table has. */
function sayingIn(
  table: Readonly<Record<string, readonly number[]>>,
  { op, inputs }: Node,
): readonly string[] {
  const places = Object.hasOwn(table, op) ? table[op] : undefined;
  if (!places) return [];
  return places.length === 0 ? inputs : places.flatMap(place => inputs[place] ?? []);
}
