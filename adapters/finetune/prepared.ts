import { Tensor } from 'onnxruntime-node';

type Field = {
  readonly shape: readonly number[];
  readonly size: number;
  readonly data: Float32Array | Float64Array;
};

/** What a network sees of many windows: each field one array over all of them. */
export class Prepared {
  readonly count: number;
  /** Steps ahead, in whole patches. */
  readonly steps: number;
  readonly #fields = new Map<string, Field>();

  constructor(count: number, steps: number) {
    this.count = count;
    this.steps = steps;
  }

  all(): number[] {
    return Array.from({ length: this.count }, (_, id) => id);
  }

  /** Of some windows, from the one with number `first` on. */
  put(name: string, { data, dims }: Tensor, first: number): void {
    const numbers = data as Float32Array | Float64Array;
    const size = numbers.length / dims[0]!;
    const field = this.#fields.get(name) ?? this.#added(name, dims.slice(1), size, numbers);
    field.data.set(numbers, first * size);
  }

  /** Of these windows, in this order. */
  batch(name: string, ids: readonly number[]): Tensor {
    const { shape, size, data } = this.#field(name);
    const batch = new Float32Array(ids.length * size);
    ids.forEach((id, i) => batch.set(data.subarray(id * size, (id + 1) * size), i * size));
    return new Tensor('float32', batch, [ids.length, ...shape]);
  }

  /**
   * What the network says (`u`, step by step, each with its levels in rising order), in the units of the
   * series. A series below zero was turned over, which its negative width tells: so are its levels.
   */
  unscaled(id: number, u: Float32Array, levels: number): Float64Array {
    const centre = this.#field('centre').data;
    const width = this.#field('width').data[id]!;
    return Float64Array.from(u, (_, place) => {
      const step = Math.floor(place / levels);
      const level = place % levels;
      const from = width < 0 ? levels - 1 - level : level;
      return centre[id * this.steps + step]! + width * Math.sinh(u[step * levels + from]!);
    });
  }

  #field(name: string): Field {
    const field = this.#fields.get(name);
    if (!field) throw new Error(`windows were not prepared for '${name}'`);
    return field;
  }

  #added(name: string, shape: readonly number[], size: number, like: Float32Array | Float64Array): Field {
    const length = this.count * size;
    const data = like instanceof Float64Array ? new Float64Array(length) : new Float32Array(length);
    const field = { shape, size, data };
    this.#fields.set(name, field);
    return field;
  }
}
