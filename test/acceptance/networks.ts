// Networks in the format of ONNX written by hand, good ones and such as nobody should run: a protobuf message
// of the members that are needed.

type Bytes = Uint8Array;

const varint = (value: number | bigint): number[] => {
  const rest = BigInt(value);
  return rest < 128n ? [Number(rest)] : [Number(rest % 128n) + 128, ...varint(rest / 128n)];
};
const number = (field: number, value: number | bigint): Bytes =>
  Uint8Array.from([...varint(field * 8), ...varint(value)]);
const message = (field: number, ...parts: readonly Bytes[]): Bytes => {
  const inner = Buffer.concat(parts);
  return Buffer.concat([Uint8Array.from([...varint(field * 8 + 2), ...varint(inner.length)]), inner]);
};
const text = (field: number, value: string): Bytes => message(field, Buffer.from(value));

const FLOAT = 1;
const INT64 = 7;
const BOOL = 9;
const raw = (data: ArrayBufferView): Bytes => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
const tensor = (name: string, type: number, dims: readonly number[], ...content: Bytes[]): Bytes =>
  Buffer.concat([...dims.map(dim => number(1, dim)), number(2, type), text(8, name), ...content]);
const floats = (name: string, values: readonly number[], dims: readonly number[]): Bytes =>
  tensor(name, FLOAT, dims, message(9, raw(Float32Array.from(values))));
const integers = (name: string, values: readonly (number | bigint)[], dims: readonly number[]): Bytes =>
  tensor(name, INT64, dims, message(9, raw(BigInt64Array.from(values.map(BigInt)))));
/** A tensor whose values are said to lie in a file beside the model. */
const outside = (name: string, location: string, dims: readonly number[]): Bytes =>
  tensor(
    name,
    FLOAT,
    dims,
    message(13, text(1, 'location'), text(2, location)),
    message(13, text(1, 'offset'), text(2, '0')),
    number(14, 1),
  );
const initial = (...tensors: readonly Bytes[]): Bytes[] => tensors.map(each => message(5, each));

type Dims = readonly (number | string)[];
const shaped = (field: number, name: string, dims: Dims, type = FLOAT): Bytes =>
  message(
    field,
    text(1, name),
    message(
      2,
      message(
        1,
        number(1, type),
        message(2, ...dims.map(dim => message(1, typeof dim === 'number' ? number(1, dim) : text(2, dim)))),
      ),
    ),
  );
const attribute = {
  int: (name: string, value: number) => message(5, text(1, name), number(3, value), number(20, 2)),
  graph: (name: string, parts: readonly Bytes[]) =>
    message(5, text(1, name), message(6, ...parts), number(20, 5)),
};
type Node = { readonly domain?: string; readonly attributes?: readonly Bytes[] };
const node = (
  type: string,
  inputs: readonly string[],
  output: string,
  { domain, attributes = [] }: Node = {},
): Bytes =>
  message(
    1,
    ...inputs.map(name => text(1, name)),
    text(2, output),
    text(4, type),
    ...attributes,
    ...(domain === undefined ? [] : [text(7, domain)]),
  );

const LENGTH = 14;
const STEPS = 7;
/** How the networks of this file are signed: 14 values in, 7 out, nothing scaled. */
export const signed = (more: object = {}) => ({
  inputs: [{ name: 'x', dtype: 'float32', shape: ['batch', LENGTH] }],
  outputs: [{ name: 'y', dtype: 'float32', shape: ['batch', STEPS] }],
  lookback: LENGTH,
  horizon: STEPS,
  normalization: 'none',
  ...more,
});

/** A model of some nodes and tensors, from `x` [batch, 14] to `y` [batch, 7] unless told otherwise. */
function model(
  parts: readonly Bytes[],
  { input = ['batch', LENGTH] as Dims, output = ['batch', STEPS] as Dims, domains = [''] } = {},
): Buffer {
  const graph = message(7, ...parts, text(2, 'g'), shaped(11, 'x', input), shaped(12, 'y', output));
  const opsets = domains.map(domain => message(8, text(1, domain), number(2, domain === '' ? 17 : 1)));
  return Buffer.concat([number(1, 8), graph, ...opsets]);
}
const last = [node('Gather', ['x', 'at'], 'last', { attributes: [attribute.int('axis', 1)] })];
const ADDED = [1, 2, 3, 4, 5, 6, 7];

/** The last value, and 1 to 7 added to it: what it forecasts is known by heart. */
export const lastPlus = (added: readonly number[] = ADDED): Buffer =>
  model(
    [
      ...last,
      node('Add', ['last', 'added'], 'y'),
      ...initial(integers('at', [-1], [1]), floats('added', added, [1, added.length])),
    ],
    { output: ['batch', added.length] },
  );

/** The same for quantiles 0.1, 0.5 and 0.9: [batch, 7, 3], 10 below and above the middle. */
export const bands = (): Buffer =>
  model(
    [
      node('Gather', ['x', 'at'], 'picked', { attributes: [attribute.int('axis', 1)] }),
      node('Unsqueeze', ['picked', 'axes'], 'last'),
      node('Add', ['last', 'added'], 'y'),
      ...initial(
        integers('at', [-1], [1]),
        integers('axes', [2], [1]),
        floats(
          'added',
          ADDED.flatMap(step => [step - 10, step, step + 10]),
          [1, STEPS, 3],
        ),
      ),
    ],
    { output: ['batch', STEPS, 3] },
  );

/** The same, from [batch, 14, 1]. */
export const deep = (): Buffer =>
  model(
    [
      node('Squeeze', ['x', 'axes'], 'flat'),
      node('Gather', ['flat', 'at'], 'last', { attributes: [attribute.int('axis', 1)] }),
      node('Add', ['last', 'added'], 'y'),
      ...initial(integers('axes', [2], [1]), integers('at', [-1], [1]), floats('added', ADDED, [1, STEPS])),
    ],
    { input: ['batch', LENGTH, 1] },
  );

const zeros = floats(
  'zeros',
  ADDED.map(() => 0),
  [1, STEPS],
);
/** Says the same whatever came before. */
export const constant = (): Buffer =>
  model([
    ...last,
    node('Mul', ['last', 'zeros'], 'nothing'),
    node('Add', ['nothing', 'added'], 'y'),
    ...initial(integers('at', [-1], [1]), zeros, floats('added', ADDED, [1, STEPS])),
  ]);
/** Divides nothing by nothing. */
export const notFinite = (): Buffer =>
  model([
    ...last,
    node('Mul', ['last', 'zeros'], 'nothing'),
    node('Div', ['nothing', 'nothing'], 'nan'),
    node('Add', ['last', 'nan'], 'y'),
    ...initial(integers('at', [-1], [1]), zeros),
  ]);
/** Says something else each time. */
export const dice = (): Buffer =>
  model([
    ...last,
    node('Add', ['last', 'zeros'], 'wide'),
    node('RandomNormalLike', ['wide'], 'noise'),
    node('Add', ['wide', 'noise'], 'y'),
    ...initial(integers('at', [-1], [1]), zeros),
  ]);
/** An operator of nobody knows whom. */
export const foreign = (): Buffer =>
  model([node('RunShell', ['x'], 'y', { domain: 'com.example.tools' })], {
    domains: ['', 'com.example.tools'],
  });
/** Weights that are said to lie elsewhere on the machine. */
export const external = (location: string): Buffer =>
  model([
    ...last,
    node('Add', ['last', 'added'], 'y'),
    ...initial(integers('at', [-1], [1]), outside('added', location, [1, STEPS])),
  ]);
/** Asks for 40 GB, out of a file of some hundred bytes. */
export const bomb = (): Buffer =>
  model([
    ...last,
    node('Expand', ['last', 'size'], 'huge'),
    node('ReduceMean', ['huge'], 'mean', { attributes: [attribute.int('keepdims', 0)] }),
    node('Add', ['last', 'zeros'], 'wide'),
    node('Add', ['wide', 'mean'], 'y'),
    ...initial(integers('at', [-1], [1]), integers('size', [100_000, 100_000], [2]), zeros),
  ]);
/** A loop that never ends. */
export const endless = (): Buffer => {
  const body = [
    node('Identity', ['going'], 'goes'),
    node('Identity', ['value'], 'next'),
    text(2, 'body'),
    shaped(11, 'turn', [], INT64),
    shaped(11, 'going', [], BOOL),
    shaped(11, 'value', ['batch', STEPS]),
    shaped(12, 'goes', [], BOOL),
    shaped(12, 'next', ['batch', STEPS]),
  ];
  return model([
    ...last,
    node('Add', ['last', 'zeros'], 'wide'),
    node('Loop', ['turns', 'yes', 'wide'], 'y', { attributes: [attribute.graph('body', body)] }),
    ...initial(
      integers('at', [-1], [1]),
      integers('turns', [2n ** 62n], []),
      tensor('yes', BOOL, [], message(9, Uint8Array.of(1))),
      zeros,
    ),
  ]);
};
