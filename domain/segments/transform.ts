import type { StateReader, StateWriter } from './saved.js';
import type { Transform } from './recipe.js';

const pointwise: Readonly<Record<string, (x: number) => number>> = {
  log: Math.log,
  log1p: Math.log1p,
  asinh: Math.asinh,
};

/** Transforms a column in place, block after block; what is not finite is NaN. */
export class Transformer {
  #before = NaN;

  constructor(readonly transform: Transform) {}

  run(values: Float64Array): void {
    const each = pointwise[this.transform];
    if (each) for (let i = 0; i < values.length; i++) values[i] = each(values[i]!);
    else if (this.transform !== 'none') this.#changes(values, this.transform === 'pct_change');
    finiteOnly(values);
  }

  save(state: StateWriter): void {
    state.put(this.#before);
  }

  load(state: StateReader): void {
    this.#before = state.take();
  }

  #changes(values: Float64Array, isShare: boolean): void {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      values[i] = isShare ? value / this.#before - 1 : value - this.#before;
      this.#before = value;
    }
  }
}

/** What is not finite becomes NaN; -0 becomes 0, which is written alike. */
export function finiteOnly(values: Float64Array): void {
  for (let i = 0; i < values.length; i++) values[i] = values[i]! - values[i]! === 0 ? values[i]! + 0 : NaN;
}
