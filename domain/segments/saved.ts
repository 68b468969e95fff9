/** The state of a build as numbers, one after the other: written and read in the same order. */
export class StateWriter {
  readonly #numbers: number[] = [];

  put(...numbers: readonly number[]): void {
    for (const number of numbers) this.#numbers.push(number);
  }

  putAll(numbers: Float64Array): void {
    this.#numbers.push(numbers.length);
    for (const number of numbers) this.#numbers.push(number);
  }

  /** With the state of the hash behind it. */
  bytes(hash: Uint8Array): Uint8Array {
    const numbers = new Float64Array(this.#numbers.length + 1);
    numbers[0] = this.#numbers.length;
    numbers.set(this.#numbers, 1);
    const bytes = new Uint8Array(numbers.byteLength + hash.length);
    bytes.set(new Uint8Array(numbers.buffer));
    bytes.set(hash, numbers.byteLength);
    return bytes;
  }
}

export class StateReader {
  readonly #numbers: Float64Array;
  readonly hash: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    // A copy: of a Buffer `slice` were a view, at any place of a larger memory
    const aligned = new Uint8Array(bytes);
    const count = new Float64Array(aligned.buffer, 0, 1)[0]!;
    this.#numbers = new Float64Array(aligned.buffer, 8, count);
    this.hash = aligned.slice(8 * (count + 1));
  }

  take(): number {
    return this.#numbers[this.#at++]!;
  }

  /** Answers how many there were. */
  takeAll(into: Float64Array): number {
    const count = this.take();
    into.set(this.#numbers.subarray(this.#at, this.#at + count));
    this.#at += count;
    return count;
  }
}
