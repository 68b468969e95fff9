import { MOST, type Graph, type Node, type Structure, type TensorInfo } from '../../domain/byom/structure.js';
import { tensorNamed } from './onnx-tensors.js';
import { NEWEST_FORM, NEWEST_OPERATORS } from '../onnx.js';
import { Malformed, ProtoFile, type Field } from './proto-file.js';

type Bytes = Extract<Field, { wire: 'bytes' }>;
type Counts = { nodes: number; tensors: number; nameBytes: number };

/**
 * What an ONNX file consists of, read strictly and within bounds, before the runtime sees it.
 * @throws Malformed that says what is wrong with it
 */
export function structureOf(path: string): Structure {
  const file = new ProtoFile(path);
  try {
    // The runtime goes by these, and would read a model of its own form behind what is read here
    if (file.isOrtFormat())
      throw new Malformed('it is a model in the form of ONNX Runtime: export it as ONNX');
    return new Reader(file).model();
  } finally {
    file.close();
  }
}

class Reader {
  readonly #counts: Counts = { nodes: 0, tensors: 0, nameBytes: 0 };

  constructor(readonly file: ProtoFile) {}

  model(): Structure {
    const opsets: Record<string, number> = {};
    let graph: Graph | null = null;
    let version = 0n;
    for (const field of this.once(0, this.file.size, [1, 7])) {
      if (field.number === 1) version = numberOf(field);
      else if (field.number === 7) graph = this.#graph(bytes(field), 0);
      else if (field.number === 8) {
        const [domain, opset] = this.#opset(bytes(field));
        opsets[domain] = opset;
      } else if (field.number === 20) throw new Malformed('it holds how it is trained');
      else if (field.number === 25) throw new Malformed('it holds functions of its own');
    }
    if (version < 1n || !graph || Object.keys(opsets).length === 0)
      throw new Malformed('it is no ONNX model: version, operators or graph are missing');
    refuseUnsupported(version, opsets);
    return { opsets, graph, nodes: this.#counts.nodes, tensors: this.#counts.tensors };
  }

  /** Fields of a message, of which some may stand once only: other readers would put two together. */
  *once(from: number, to: number, singular: readonly number[]): Generator<Field> {
    const seen = new Set<number>();
    for (const field of this.file.fields(from, to)) {
      if (singular.includes(field.number)) {
        if (seen.has(field.number))
          throw new Malformed(`byte ${field.at}: field ${field.number} stands twice`);
        seen.add(field.number);
      }
      yield field;
    }
  }

  #text(field: Field): string {
    const { from, to } = bytes(field);
    this.#counts.nameBytes += to - from;
    if (this.#counts.nameBytes > MOST.allNameBytes) throw new Malformed('its names are too long in all');
    return this.file.text(from, to, MOST.nameBytes);
  }

  #opset({ from, to }: Bytes): [string, number] {
    let domain = '';
    let version = 0n;
    for (const field of this.once(from, to, [1, 2]))
      if (field.number === 1) domain = this.#text(field);
      else if (field.number === 2) version = numberOf(field);
    return [domain, Number(version)];
  }

  #graph({ from, to }: Bytes, depth: number): Graph {
    if (depth > MOST.depth) throw new Malformed(`byte ${from}: graphs inside of graphs, ${depth} deep`);
    const nodes: Node[] = [];
    const values = new Set<string>();
    const inputs: TensorInfo[] = [];
    const outputs: TensorInfo[] = [];
    for (const field of this.file.fields(from, to))
      if (field.number === 1) nodes.push(this.#node(bytes(field), depth));
      else if (field.number === 5) values.add(this.#tensor(bytes(field)));
      else if (field.number === 11) inputs.push(this.#tensorInfo(bytes(field)));
      else if (field.number === 12) outputs.push(this.#tensorInfo(bytes(field)));
      else if (field.number === 15) throw sparse(field);
    return { nodes, inputs: inputs.filter(({ name }) => !values.has(name)), outputs };
  }

  #node({ from, to }: Bytes, depth: number): Node {
    if (++this.#counts.nodes > MOST.nodes) throw new Malformed(`it has more than ${MOST.nodes} nodes`);
    const [inputs, outputs, bodies]: [string[], string[], Graph[]] = [[], [], []];
    let op = '';
    let domain = '';
    for (const field of this.once(from, to, [4, 7]))
      if (field.number === 1) inputs.push(this.#text(field));
      else if (field.number === 2) outputs.push(this.#text(field));
      else if (field.number === 4) op = this.#text(field);
      else if (field.number === 5) bodies.push(...this.#bodies(bytes(field), depth));
      else if (field.number === 7) domain = this.#text(field);
    return { op, domain, inputs, outputs, bodies };
  }

  /** The graphs in an attribute; its tensors are looked at. */
  #bodies({ from, to }: Bytes, depth: number): Graph[] {
    const graphs: Graph[] = [];
    for (const field of this.once(from, to, [5, 6]))
      if (field.number === 5 || field.number === 10) this.#tensor(bytes(field));
      else if (field.number === 6 || field.number === 11) graphs.push(this.#graph(bytes(field), depth + 1));
      else if (field.number === 22 || field.number === 23) throw sparse(field);
      else if (field.number === 21) throw new Malformed(`byte ${field.at}: an attribute of a function`);
    return graphs;
  }

  #tensor({ from, to }: Bytes): string {
    if (++this.#counts.tensors > MOST.tensors)
      throw new Malformed(`it has more than ${MOST.tensors} tensors`);
    return tensorNamed(this.file, from, to);
  }

  #tensorInfo({ from, to }: Bytes): TensorInfo {
    let name = '';
    let tensor: Pick<TensorInfo, 'type' | 'shape'> = { type: null, shape: null };
    for (const field of this.once(from, to, [1, 2]))
      if (field.number === 1) name = this.#text(field);
      else if (field.number === 2)
        for (const kind of this.once(bytes(field).from, bytes(field).to, [1]))
          if (kind.number === 1) tensor = this.#type(bytes(kind));
    return { name, ...tensor };
  }

  #type({ from, to }: Bytes): Pick<TensorInfo, 'type' | 'shape'> {
    let type: number | null = null;
    let shape: (number | null)[] | null = null;
    for (const field of this.once(from, to, [1, 2]))
      if (field.number === 1) type = Number(numberOf(field));
      else if (field.number === 2) {
        shape = [];
        for (const dim of this.file.fields(bytes(field).from, bytes(field).to))
          if (dim.number === 1) shape.push(this.#dim(bytes(dim)));
      }
    return { type, shape };
  }

  #dim({ from, to }: Bytes): number | null {
    for (const field of this.file.fields(from, to))
      if (field.number === 1) return Number(BigInt.asIntN(64, numberOf(field)));
    return null;
  }
}

/** What the runtime here would not open. Domains that are not known here are looked at by who uses them. */
function refuseUnsupported(form: bigint, opsets: Structure['opsets']): void {
  if (form > NEWEST_FORM)
    throw new Malformed(`its form is version ${form} of ONNX; those up to ${NEWEST_FORM} are taken`);
  for (const [domain, version] of Object.entries(opsets)) {
    const newest = Object.hasOwn(NEWEST_OPERATORS, domain) ? NEWEST_OPERATORS[domain]! : Infinity;
    if (version < 1 || version > newest)
      throw new Malformed(
        `it is of opset ${version} of ${domain || 'ai.onnx'}; 1 to ${newest} are taken: `
          + 'export it again with an older `opset_version`',
      );
  }
}

function bytes(field: Field): Bytes {
  if (field.wire !== 'bytes')
    throw new Malformed(`byte ${field.at}: field ${field.number} is of another kind`);
  return field;
}

function numberOf(field: Field): bigint {
  if (field.wire !== 'varint') throw new Malformed(`byte ${field.at}: field ${field.number} is no number`);
  return field.value;
}

const sparse = (field: Field): Malformed =>
  new Malformed(`byte ${field.at}: tensors with gaps are not taken`);
