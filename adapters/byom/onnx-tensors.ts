import { MOST } from '../../domain/byom/structure.js';
import { Malformed, type Field, type ProtoFile } from './proto-file.js';

/** Bits of a number, by `TensorProto.DataType`; 8, text, has no such size. */
const BITS: Readonly<Record<number, number>> = {
  ...{ 1: 32, 2: 8, 3: 8, 4: 16, 5: 16, 6: 32, 7: 64, 9: 8, 10: 16, 11: 64, 12: 32, 13: 64 },
  ...{ 14: 64, 15: 128, 16: 16, 17: 8, 18: 8, 19: 8, 20: 8, 21: 4, 22: 4, 23: 4 },
};
const TEXT = 8;
const [DIMS, TYPE, SEGMENT, NAME, RAW, EXTERNAL, LOCATION] = [1, 2, 3, 8, 9, 13, 14];
const FLOATS = 4;
const DOUBLES = 10;
const STRINGS = 6;
/** Numbers of any length, one byte at least, which may hold two numbers of 4 bits. */
const VARINTS = [5, 7, 11];

/**
 * Reads a tensor's head and sees that it has as many numbers as it says; answers its name.
 * @throws Malformed
 */
export function tensorNamed(file: ProtoFile, from: number, to: number): string {
  const dims: bigint[] = [];
  let type = 0;
  let name = '';
  let raw: number | null = null;
  /** How many numbers it holds at most. */
  let held = 0;
  for (const field of file.fields(from, to)) {
    const { number } = field;
    const length = field.wire === 'bytes' ? field.to - field.from : 1;
    if (number === DIMS) dims.push(...dimsOf(file, field));
    else if (number === TYPE && field.wire === 'varint') type = Number(field.value);
    else if (number === NAME && field.wire === 'bytes')
      name = file.text(field.from, field.to, MOST.nameBytes);
    else if (number === RAW && field.wire === 'bytes') raw = length;
    else if (number === STRINGS) held++;
    else if (number === FLOATS) held += field.wire === 'bytes' ? length / 4 : 1;
    else if (number === DOUBLES) held += field.wire === 'bytes' ? length / 8 : 1;
    else if (VARINTS.includes(number)) held += 2 * length;
    else if (number === EXTERNAL || (number === LOCATION && !(field.wire === 'varint' && field.value === 0n)))
      throw new Malformed(`byte ${field.at}: a tensor keeps its numbers in another file`);
    else if (number === SEGMENT) throw new Malformed(`byte ${field.at}: a tensor is in parts`);
  }
  const count = dims.reduce((product, dim) => product * dim, 1n);
  if (dims.some(dim => dim < 0n || dim > MOST_DIM) || count > MOST_DIM)
    throw new Malformed(`byte ${from}: the tensor '${name}' says that it is larger than any file`);
  const bits = BITS[type];
  if (bits === undefined && type !== TEXT)
    throw new Malformed(`byte ${from}: the tensor '${name}' is of no type that there is (${type})`);
  const isWhole = raw === null ? Number(count) <= held : bits !== undefined && raw === bytesOf(count, bits);
  if (!isWhole)
    throw new Malformed(
      `byte ${from}: the tensor '${name}' holds less or more than the ${count} that it says`,
    );
  return name;
}

const MOST_DIM = 1n << 40n;
const bytesOf = (count: bigint, bits: number): number => Math.ceil((Number(count) * bits) / 8);

function* dimsOf(file: ProtoFile, field: Field): Generator<bigint> {
  if (field.wire === 'varint') yield BigInt.asIntN(64, field.value);
  if (field.wire !== 'bytes') return;
  if (field.to - field.from > MOST_DIMS) throw new Malformed(`byte ${field.at}: too many dimensions`);
  for (const value of file.varints(field.from, field.to)) yield BigInt.asIntN(64, value);
}
const MOST_DIMS = 640;
