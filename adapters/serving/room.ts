import type { Room } from '../forecaster/call.js';

/** So many works are under way at once; the others wait in the order they came. */
export class Places {
  #size: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Those under way beyond a smaller size come to their end. */
  resize(size: number): void {
    this.#size = size;
    while (this.#taken < this.#size && this.#waiting.length > 0) this.#admit();
  }

  readonly room: Room = async work => {
    if (this.#taken >= this.#size) await new Promise<void>(admitted => this.#waiting.push(admitted));
    else this.#taken++;
    try {
      return await work();
    } finally {
      this.#taken--;
      if (this.#taken < this.#size && this.#waiting.length > 0) this.#admit();
    }
  };

  #admit(): void {
    this.#taken++;
    this.#waiting.shift()!();
  }
}
