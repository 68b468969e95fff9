// What an ONNX file consists of, as far as it is looked at before anything runs it.

/** A tensor that goes in or comes out; null where the file does not say; a dimension without size is null. */
export type TensorInfo = {
  readonly name: string;
  /** `TensorProto.DataType`; null for what is no tensor. */
  readonly type: number | null;
  readonly shape: readonly (number | null)[] | null;
};
export type Node = {
  readonly op: string;
  /** '' is that of ONNX itself. */
  readonly domain: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly bodies: readonly Graph[];
};
export type Graph = {
  readonly nodes: readonly Node[];
  /** Those that have no value in the file. */
  readonly inputs: readonly TensorInfo[];
  readonly outputs: readonly TensorInfo[];
};
export type Structure = {
  readonly opsets: Readonly<Record<string, number>>;
  readonly graph: Graph;
  /** Of all graphs together. */
  readonly nodes: number;
  readonly tensors: number;
};

/** What is taken at most. */
export const MOST = {
  nodes: 100_000,
  tensors: 100_000,
  depth: 8,
  nameBytes: 4_096,
  allNameBytes: 32_000_000,
};

/** The numbers of `TensorProto.DataType` that a model may take and give. */
export const TYPES = { float32: 1, float64: 11 } as const;
