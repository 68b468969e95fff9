import { field, fieldsOf, numberField, numberOf, textOf, varintsOf, type Field } from './protobuf.js';

// The weights in an exported network of our own (models/presage/recipe/export.py): they have the names of the
// network, ".T" added where they lie transposed and "_16" where they have 16 bits, which a Cast then widens.

/** Numbers of the fields in onnx.proto. */
const MODEL = { graph: 7 };
const GRAPH = { node: 1, initializer: 5, input: 11 };
const NODE = { output: 2, operator: 4 };
const TENSOR = { dims: 1, type: 2, name: 8, raw: 9 };
const VALUE = { name: 1, type: 2, tensor: 1, element: 1, shape: 2, dim: 1, size: 1 };
const FLOAT = 1;
const FLOAT16 = 10;

/** As it is in the network: rows are outputs. */
export type Weight = { readonly shape: readonly number[]; readonly values: Float32Array };

/** How a weight goes into a network as an input. */
export type WeightInput = {
  readonly input: string;
  readonly shape: readonly number[];
  readonly isTransposed: boolean;
};

type Stored = {
  readonly name: string;
  readonly dims: readonly number[];
  readonly type: number;
  readonly raw: Uint8Array;
};

/** Name -> weight. @throws Error where the file is no network */
export function weightsIn(file: Uint8Array): ReadonlyMap<string, Weight> {
  const weights = new Map<string, Weight>();
  for (const part of fieldsOf(graphIn(file).bytes)) {
    if (part.number !== GRAPH.initializer) continue;
    const { name, dims, type, raw } = storedIn(part);
    if ((type !== FLOAT && type !== FLOAT16) || raw.length === 0) continue;
    const values = floatsOf(type, raw);
    const { own, isTransposed } = namesOf(name);
    weights.set(
      own,
      isTransposed
        ? { shape: [...dims].reverse(), values: transposed(values, dims[0]!, dims[1]!) }
        : { shape: dims, values },
    );
  }
  return weights;
}

/** The network with these of its weights as inputs instead of held by it, and how each goes in. */
export function withWeightInputs(
  file: Uint8Array,
  names: readonly string[],
): { readonly file: Uint8Array; readonly inputs: ReadonlyMap<string, WeightInput> } {
  const graph = graphIn(file);
  const asked = new Set(names);
  const inputs = new Map<string, WeightInput>();
  const kept: Field[] = [];
  for (const part of fieldsOf(graph.bytes)) {
    const stored = part.number === GRAPH.initializer ? storedIn(part) : null;
    const { own, inner, isTransposed } = namesOf(stored?.name ?? '');
    if (stored && asked.has(own)) inputs.set(own, { input: inner, shape: stored.dims, isTransposed });
    else kept.push(part);
  }
  const fed = new Set([...inputs.values()].map(({ input }) => input));
  const nodes = kept
    .filter(part => part.number !== GRAPH.node || !widens(part, fed))
    .map(({ whole }) => whole);
  const added = [...inputs.values()].map(({ input, shape }) => inputField(input, shape));
  const others = [...fieldsOf(file)].map(part =>
    part.number === MODEL.graph ? field(MODEL.graph, ...nodes, ...added) : part.whole,
  );
  return { file: Buffer.concat(others), inputs };
}

/** Rows become columns. */
export function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) out[j * rows + i] = values[i * columns + j]!;
  return out;
}

function graphIn(file: Uint8Array): Field {
  for (const part of fieldsOf(file)) if (part.number === MODEL.graph) return part;
  throw new Error('no network: it is not a file in the format of ONNX');
}

function storedIn(initializer: Field): Stored {
  const dims: number[] = [];
  let [name, type, raw] = ['', 0, new Uint8Array()];
  for (const part of fieldsOf(initializer.bytes)) {
    if (part.number === TENSOR.dims) dims.push(...varintsOf(part));
    if (part.number === TENSOR.type) type = numberOf(part);
    if (part.number === TENSOR.name) name = textOf(part);
    if (part.number === TENSOR.raw) raw = Uint8Array.from(part.bytes);
  }
  return { name, dims, type, raw };
}

/** `own`: in the network; `inner`: in the file, where it is used. */
function namesOf(stored: string): { own: string; inner: string; isTransposed: boolean } {
  const inner = stored.replace(/_16$/, '');
  return { inner, own: inner.replace(/\.T$/, ''), isTransposed: inner.endsWith('.T') };
}

/** Whether it is what widens one of these weights. */
function widens(node: Field, fed: ReadonlySet<string>): boolean {
  const parts = [...fieldsOf(node.bytes)];
  const isCast = parts.some(part => part.number === NODE.operator && textOf(part) === 'Cast');
  return isCast && parts.some(part => part.number === NODE.output && fed.has(textOf(part)));
}

function inputField(name: string, shape: readonly number[]): Uint8Array {
  const dims = shape.map(size => field(VALUE.dim, numberField(VALUE.size, size)));
  const tensor = field(VALUE.tensor, numberField(VALUE.element, FLOAT), field(VALUE.shape, ...dims));
  return field(GRAPH.input, field(VALUE.name, Buffer.from(name)), field(VALUE.type, tensor));
}

/** `raw` begins its own memory, as numbers of several bytes must. */
const floatsOf = (type: number, raw: Uint8Array): Float32Array =>
  type === FLOAT16
    ? Float32Array.from(new Uint16Array(raw.buffer), fromHalf)
    : new Float32Array(raw.buffer, 0, raw.length / 4);

function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const rest = bits & 1023;
  if (exponent === 0) return sign * rest * 2 ** -24;
  if (exponent === 31) return rest ? NaN : sign * Infinity;
  return sign * (1 + rest / 1024) * 2 ** (exponent - 15);
}
