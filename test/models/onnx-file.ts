// Small networks in the format of ONNX, written by hand: a protobuf message of the members that are needed.

type Bytes = Uint8Array;

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const number = (field: number, value: number): Bytes =>
  Uint8Array.from([...varint(field * 8), ...varint(value)]);
const message = (field: number, ...parts: readonly Bytes[]): Bytes => {
  const inner = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.from([...varint(field * 8 + 2), ...varint(inner.length)]), inner]);
};
const text = (field: number, value: string): Bytes => message(field, Buffer.from(value));

const FLOAT = 1;
const INT64 = 7;
const tensor = (name: string, type: number, dims: readonly number[], raw: ArrayBufferView): Bytes =>
  message(
    5,
    ...dims.map(dim => number(1, dim)),
    number(2, type),
    text(8, name),
    message(9, Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)),
  );
const shaped = (field: number, name: string, dims: readonly (number | string)[]): Bytes =>
  message(
    field,
    text(1, name),
    message(
      2,
      message(
        1,
        number(1, FLOAT),
        message(2, ...dims.map(dim => message(1, typeof dim === 'number' ? number(1, dim) : text(2, dim)))),
      ),
    ),
  );
const node = (type: string, inputs: readonly string[], output: string, axis?: number): Bytes =>
  message(
    1,
    ...inputs.map(name => text(1, name)),
    text(2, output),
    text(4, type),
    ...(axis === undefined ? [] : [message(5, text(1, 'axis'), number(3, axis), number(20, 2))]),
  );

export type TinyNetwork = {
  readonly input?: string;
  readonly output?: string;
  /** Of the input: [1, length] or [1, length, 1]. */
  readonly dims?: readonly (number | string)[];
  /** What is added to the last value, in the shape of the output. */
  readonly added: readonly number[];
  readonly shape: readonly number[];
};

/** A network that answers the last value of its input, and something added to it at each place. */
export function lastValuePlus({
  input = 'x',
  output = 'y',
  dims = [1, 'length'],
  added,
  shape,
}: TinyNetwork): Buffer {
  const graph = message(
    7,
    node('Gather', [input, 'at'], 'last', 1),
    node('Add', ['last', 'added'], output),
    text(2, 'tiny'),
    tensor('at', INT64, [1], BigInt64Array.of(-1n)),
    tensor('added', FLOAT, shape, Float32Array.from(added)),
    shaped(11, input, dims),
    shaped(12, output, shape),
  );
  return Buffer.concat([number(1, 8), graph, message(8, text(1, ''), number(2, 17))]);
}
