/** Messages of Protocol Buffers (developers.google.com/protocol-buffers/docs/encoding), written only. */

const VARINT = 0;
const BYTES = 2;

export const joined = (parts: readonly Uint8Array[]): Uint8Array => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};

/** A whole number from 0 to 2^53 - 1, seven bits a byte, the lowest first. */
function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

const key = (field: number, type: number, ...values: readonly number[]): Uint8Array => {
  const bytes: number[] = [];
  pushVarint(bytes, field * 8 + type);
  for (const value of values) pushVarint(bytes, value);
  return Uint8Array.from(bytes);
};

/** A whole number from 0 to 2^53 - 1. */
export const integer = (field: number, value: number): Uint8Array => key(field, VARINT, value);

/** A message in a message. */
export const message = (field: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return joined([key(field, BYTES, length), ...parts]);
};

export const text = (field: number, value: string): Uint8Array =>
  message(field, new TextEncoder().encode(value));

/** Whole numbers from 0 to 2^53 - 1, packed. */
export function integers(field: number, values: ArrayLike<number>): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i < values.length; i++) pushVarint(bytes, values[i]!);
  return message(field, Uint8Array.from(bytes));
}

/** As float64, packed. */
export function doubles(field: number, values: ArrayLike<number>): Uint8Array {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  for (let i = 0; i < values.length; i++) view.setFloat64(8 * i, values[i]!, true);
  return message(field, new Uint8Array(view.buffer));
}

/** As float32, packed. */
export function floats(field: number, values: ArrayLike<number>): Uint8Array {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (let i = 0; i < values.length; i++) view.setFloat32(4 * i, values[i]!, true);
  return message(field, new Uint8Array(view.buffer));
}
