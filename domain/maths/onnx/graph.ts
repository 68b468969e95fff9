import { doubles, floats, integer, integers, joined, message, text } from './protobuf.js';

/** Networks in the format of ONNX (onnx.ai, onnx-ml.proto): what is needed of it. */

export type Attribute =
  | { readonly integer: number }
  | { readonly integers: ArrayLike<number> }
  | { readonly floats: ArrayLike<number> }
  | { readonly text: string }
  | { readonly texts: readonly string[] }
  | { readonly body: OnnxBody };

export type OnnxNode = {
  readonly operator: string;
  /** Of the operators of machine learning (`ai.onnx.ml`). */
  readonly learning?: boolean;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, Attribute>>;
};

/** A network inside of another, such as a `Scan` runs for each step; it knows the names around it. */
export type OnnxBody = {
  readonly nodes: readonly OnnxNode[];
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
};

/** Numbers that belong to the network, row by row. */
export type OnnxConstant = {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values:
    | { readonly floats: ArrayLike<number> }
    | { readonly doubles: ArrayLike<number> }
    | { readonly integers: ArrayLike<number> };
};

/** float32; a name in `dims` stands for any number. */
export type OnnxTensor = { readonly name: string; readonly dims: readonly (number | string)[] };

export type OnnxGraph = {
  readonly nodes: readonly OnnxNode[];
  readonly constants: readonly OnnxConstant[];
  readonly inputs: readonly OnnxTensor[];
  readonly outputs: readonly OnnxTensor[];
  /** What the file says of itself beside, by name (`metadata_props`). */
  readonly notes?: Readonly<Record<string, string>>;
};

/** Versions of the format and of the operators that every onnxruntime of these years knows. */
const IR = 8;
const OPERATORS = 17;
const LEARNING_OPERATORS = 3;
const LEARNING = 'ai.onnx.ml';

/** The bytes of an .onnx file; the same for the same graph. */
export function onnxBytes({ nodes, constants, inputs, outputs, notes = {} }: OnnxGraph): Uint8Array {
  const learns = nodes.some(({ learning }) => learning);
  return joined([
    integer(1, IR),
    text(2, 'presage'),
    message(
      7,
      ...nodes.map(nodeMessage),
      text(2, 'graph'),
      ...constants.map(constantMessage),
      ...inputs.map(tensor => tensorMessage(11, tensor)),
      ...outputs.map(tensor => tensorMessage(12, tensor)),
    ),
    message(8, text(1, ''), integer(2, OPERATORS)),
    ...(learns ? [message(8, text(1, LEARNING), integer(2, LEARNING_OPERATORS))] : []),
    ...Object.entries(notes).map(([name, value]) => message(14, text(1, name), text(2, value))),
  ]);
}

const nodeMessage = ({ operator, learning, inputs, outputs, attributes = {} }: OnnxNode): Uint8Array =>
  message(
    1,
    ...inputs.map(name => text(1, name)),
    ...outputs.map(name => text(2, name)),
    text(4, operator),
    ...Object.entries(attributes).map(([name, attribute]) =>
      message(5, text(1, name), ...attributeParts(attribute)),
    ),
    ...(learning ? [text(7, LEARNING)] : []),
  );

/** The value, and the number of its type. */
function attributeParts(attribute: Attribute): Uint8Array[] {
  if ('integer' in attribute) return [integer(3, attribute.integer), integer(20, 2)];
  if ('text' in attribute) return [text(4, attribute.text), integer(20, 3)];
  if ('floats' in attribute) return [floats(7, attribute.floats), integer(20, 6)];
  if ('integers' in attribute) return [integers(8, attribute.integers), integer(20, 7)];
  if ('body' in attribute) return [bodyMessage(attribute.body), integer(20, 5)];
  return [...attribute.texts.map(each => text(9, each)), integer(20, 8)];
}

const bodyMessage = ({ nodes, inputs, outputs }: OnnxBody): Uint8Array =>
  message(
    6,
    ...nodes.map(nodeMessage),
    text(2, 'body'),
    ...inputs.map(name => message(11, text(1, name))),
    ...outputs.map(name => message(12, text(1, name))),
  );

/** Types of numbers, as `Cast` takes them too. */
export const FLOAT = 1;
export const DOUBLE = 11;
const INT64 = 7;

const constantMessage = ({ name, dims, values }: OnnxConstant): Uint8Array =>
  message(5, integers(1, dims), ...numbers(values), text(8, name));

function numbers(values: OnnxConstant['values']): Uint8Array[] {
  if ('floats' in values) return [integer(2, FLOAT), floats(4, values.floats)];
  if ('doubles' in values) return [integer(2, DOUBLE), doubles(10, values.doubles)];
  return [integer(2, INT64), integers(7, values.integers)];
}

const tensorMessage = (field: number, { name, dims }: OnnxTensor): Uint8Array =>
  message(
    field,
    text(1, name),
    message(
      2,
      message(
        1,
        integer(1, FLOAT),
        message(2, ...dims.map(dim => message(1, typeof dim === 'number' ? integer(1, dim) : text(2, dim)))),
      ),
    ),
  );
