// ONNX files, as far as models that are made here need them (field numbers are those of onnx.proto).

/** A field of a message: a whole number, or bytes. */
export const whole = (field: number, value: number | bigint): Buffer =>
  Buffer.concat([varint(BigInt(field) << 3n), varint(BigInt.asUintN(64, BigInt(value)))]);
export const bytes = (field: number, content: Uint8Array): Buffer =>
  Buffer.concat([varint((BigInt(field) << 3n) | 2n), varint(BigInt(content.length)), content]);
export const text = (field: number, content: string): Buffer => bytes(field, Buffer.from(content));
export const message = (field: number, ...parts: readonly Uint8Array[]): Buffer =>
  bytes(field, Buffer.concat(parts));

function varint(value: bigint): Buffer {
  const digits: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 128n) return Buffer.from([...digits, Number(rest)]);
    digits.push(Number(rest & 127n) | 128);
  }
}

const FLOAT = 1;

/** A tensor of float32 as an initializer of a graph. */
export const initializer = (name: string, dims: readonly number[], values: Float32Array): Buffer =>
  message(
    5,
    ...dims.map(dim => whole(1, dim)),
    whole(2, FLOAT),
    text(8, name),
    bytes(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  );

/** A node of a graph; `attributes` as they are. */
export const node = (
  op: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: readonly Uint8Array[] = [],
  domain = '',
): Buffer =>
  message(
    1,
    ...inputs.map(name => text(1, name)),
    ...outputs.map(name => text(2, name)),
    text(4, op),
    ...attributes,
    ...(domain ? [text(7, domain)] : []),
  );

/** A tensor that goes in (field 11 of a graph) or comes out (12); null stands for a batch of any size. */
export const tensorInfo = (
  field: 11 | 12,
  name: string,
  shape: readonly (number | null)[],
  type: number = FLOAT,
): Buffer => {
  const dims = shape.map(size => message(1, size === null ? text(2, 'batch') : whole(1, size)));
  return message(field, text(1, name), message(2, message(1, whole(1, type), message(2, ...dims))));
};

/** A whole file. `opsets`: version by domain. */
export const onnxModel = (
  graph: readonly Uint8Array[],
  opsets: Readonly<Record<string, number>> = { '': 17 },
): Buffer =>
  Buffer.concat([
    whole(1, 8),
    ...Object.entries(opsets).map(([domain, version]) => message(8, text(1, domain), whole(2, version))),
    message(7, ...graph, text(2, 'model')),
  ]);
