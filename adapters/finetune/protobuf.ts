// As much of protocol buffers as reading and changing a file of our own needs.

/** A field of a message: `bytes` what it holds, `whole` with the tag before it. `type`: 0 number, 2 bytes. */
export type Field = {
  readonly number: number;
  readonly type: number;
  readonly bytes: Uint8Array;
  readonly whole: Uint8Array;
};

const BYTES = 2;

/** The number at a place, and where the next begins. */
function varint(bytes: Uint8Array, at: number): readonly [value: number, next: number] {
  let value = 0;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error('the message is cut short');
    value += (byte & 127) * factor;
    if (byte < 128) return [value, at];
  }
}

const varintBytes = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varintBytes(Math.floor(value / 128))];

export function* fieldsOf(message: Uint8Array): Generator<Field> {
  for (let at = 0; at < message.length; ) {
    const start = at;
    const [tag, content] = varint(message, at);
    const type = tag & 7;
    let from = content;
    let to = content + (type === 1 ? 8 : 4);
    if (type === 0) to = varint(message, content)[1];
    if (type === BYTES) {
      const [size, begins] = varint(message, content);
      from = begins;
      to = begins + size;
    }
    if (to > message.length) throw new Error('the message is cut short');
    yield { number: tag >>> 3, type, bytes: message.subarray(from, to), whole: message.subarray(start, to) };
    at = to;
  }
}

export const numberOf = ({ bytes }: Field): number => varint(bytes, 0)[0];

/** One number, or several that are packed. */
export function varintsOf({ bytes }: Field): number[] {
  const values: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [value, next] = varint(bytes, at);
    values.push(value);
    at = next;
  }
  return values;
}

export const textOf = ({ bytes }: Field): string => Buffer.from(bytes).toString();

export const numberField = (number: number, value: number): Uint8Array =>
  Uint8Array.from([...varintBytes(number * 8), ...varintBytes(value)]);

/** A field that holds bytes: a text, or a message of fields. */
export function field(number: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([
    Uint8Array.from([...varintBytes(number * 8 + BYTES), ...varintBytes(size)]),
    ...parts,
  ]);
}
