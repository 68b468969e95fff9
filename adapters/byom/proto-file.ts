import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The bytes are not what they should be; the message says what is wrong, and where. */
export class Malformed extends Error {}

/** A field of a message: a number, or the bytes from one place of the file to another. */
export type Field =
  | { readonly number: number; readonly wire: 'varint'; readonly value: bigint; readonly at: number }
  | {
      readonly number: number;
      readonly wire: 'bytes';
      readonly from: number;
      readonly to: number;
      readonly at: number;
    }
  | { readonly number: number; readonly wire: 'fixed32' | 'fixed64'; readonly at: number };

const WINDOW = 65_536;
const MOST_FIELD = 536_870_911;

/**
 * Reads protocol buffers from a file through a small window: what is passed over is never read, however large
 * the file says that it is.
 */
export class ProtoFile {
  readonly size: number;
  readonly #fd: number;
  readonly #window = Buffer.alloc(WINDOW);
  #from = 0;
  #to = 0;

  constructor(path: string) {
    this.#fd = openSync(path, 'r');
    this.size = fstatSync(this.#fd).size;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Whether ONNX Runtime takes it for a file in its own form: bytes 4 to 7 are the mark of those. */
  isOrtFormat(): boolean {
    const mark = Buffer.alloc(ORT_MARK.length);
    return readSync(this.#fd, mark, 0, mark.length, 4) === mark.length && mark.equals(ORT_MARK);
  }

  /** The fields of the message between two places. @throws Malformed */
  *fields(from: number, to: number): Generator<Field> {
    for (let at = from; at < to; ) {
      const begun = at;
      const key = this.#varint(at, to);
      at = key.to;
      const number = Number(key.value >> 3n);
      if (number < 1 || number > MOST_FIELD) throw new Malformed(`byte ${begun}: field ${number}`);
      switch (Number(key.value & 7n)) {
        case 0: {
          const { value, to: end } = this.#varint(at, to);
          at = end;
          yield { number, wire: 'varint', value, at: begun };
          break;
        }
        case 1:
          at = within(at + 8, to, begun);
          yield { number, wire: 'fixed64', at: begun };
          break;
        case 2: {
          const length = this.#varint(at, to);
          const end = within(length.to + Number(length.value), to, begun);
          at = end;
          yield { number, wire: 'bytes', from: length.to, to: end, at: begun };
          break;
        }
        case 5:
          at = within(at + 4, to, begun);
          yield { number, wire: 'fixed32', at: begun };
          break;
        default:
          throw new Malformed(`byte ${begun}: a field of no kind that there is`);
      }
    }
  }

  /** The numbers of a packed field. @throws Malformed */
  *varints(from: number, to: number): Generator<bigint> {
    for (let at = from; at < to; ) {
      const { value, to: end } = this.#varint(at, to);
      at = end;
      yield value;
    }
  }

  /** Bytes as text; one that is longer than `most` is refused. @throws Malformed */
  text(from: number, to: number, most: number): string {
    if (to - from > most) throw new Malformed(`byte ${from}: a name of ${to - from} bytes`);
    const bytes = Buffer.alloc(to - from);
    this.#read(bytes, from);
    try {
      return UTF8.decode(bytes);
    } catch {
      throw new Malformed(`byte ${from}: a name that is no text`);
    }
  }

  /** A number of at most 64 bits, and the place behind it. */
  #varint(from: number, to: number): { readonly value: bigint; readonly to: number } {
    let value = 0n;
    for (let i = 0; i < 10; i++) {
      if (from + i >= to) throw new Malformed(`byte ${from}: it ends within a number`);
      const byte = this.#byte(from + i);
      value |= BigInt(byte & 127) << BigInt(7 * i);
      if (byte < 128) return { value: BigInt.asUintN(64, value), to: from + i + 1 };
    }
    throw new Malformed(`byte ${from}: a number of more than 64 bits`);
  }

  #byte(at: number): number {
    if (at < this.#from || at >= this.#to) {
      this.#from = at;
      this.#to = at + readSync(this.#fd, this.#window, 0, WINDOW, at);
      if (at >= this.#to) throw new Malformed(`byte ${at}: the file ends`);
    }
    return this.#window[at - this.#from]!;
  }

  #read(bytes: Buffer, from: number): void {
    if (readSync(this.#fd, bytes, 0, bytes.length, from) < bytes.length)
      throw new Malformed(`byte ${from}: the file ends`);
  }
}

const ORT_MARK = Buffer.from('ORTM');
const UTF8 = new TextDecoder('utf-8', { fatal: true });

function within(end: number, to: number, at: number): number {
  if (!(end <= to)) throw new Malformed(`byte ${at}: it says that it is longer than what holds it`);
  return end;
}
