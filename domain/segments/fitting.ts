import { quantile } from '../maths/series/quantile.js';

/** What a method takes from the values it is fitted on; null where there are none. */
export type Params = Readonly<Record<string, number | null>>;

/** Learns from values, and from what another learned from others. */
export interface Fitter {
  add(values: Float64Array): void;
  take(other: this): void;
  params(): Params;
}

const isKnown = (value: number): boolean => !Number.isNaN(value);

/** The mean and the deviation of all values there are, as a whole and not as a sample. */
export class ZscoreFitter implements Fitter {
  #n = 0;
  #mean = 0;
  #squares = 0;

  add(values: Float64Array): void {
    const known = values.filter(isKnown);
    if (known.length === 0) return;
    const mean = known.reduce((sum, x) => sum + x, 0) / known.length;
    this.#join(
      known.length,
      mean,
      known.reduce((sum, x) => sum + (x - mean) ** 2, 0),
    );
  }

  take(other: ZscoreFitter): void {
    if (other.#n > 0) this.#join(other.#n, other.#mean, other.#squares);
  }

  params(): Params {
    if (this.#n === 0) return { mean: null, std: null };
    return { mean: this.#mean, std: Math.sqrt(this.#squares / this.#n) };
  }

  #join(n: number, mean: number, squares: number): void {
    const all = this.#n + n;
    const apart = mean - this.#mean;
    this.#squares += squares + (apart * apart * this.#n * n) / all;
    this.#mean += (apart * n) / all;
    this.#n = all;
  }
}

export class MinmaxFitter implements Fitter {
  #min = Infinity;
  #max = -Infinity;

  add(values: Float64Array): void {
    for (const value of values) {
      if (value < this.#min) this.#min = value;
      if (value > this.#max) this.#max = value;
    }
  }

  take(other: MinmaxFitter): void {
    this.#min = Math.min(this.#min, other.#min);
    this.#max = Math.max(this.#max, other.#max);
  }

  params(): Params {
    return this.#min <= this.#max ? { min: this.#min, max: this.#max } : { min: null, max: null };
  }
}

/** The median and the distance of the quartiles: these need all values. */
export class RobustFitter implements Fitter {
  #sorted = new Float64Array();
  #added: Float64Array[] = [];

  add(values: Float64Array): void {
    this.#added.push(values.filter(isKnown));
  }

  take(other: RobustFitter): void {
    this.#sorted = merged(this.#all(), other.#all());
  }

  params(): Params {
    const all = this.#all();
    if (all.length === 0) return { median: null, iqr: null };
    return { median: quantile(all, 0.5), iqr: quantile(all, 0.75) - quantile(all, 0.25) };
  }

  #all(): Float64Array<ArrayBuffer> {
    if (this.#added.length > 0) this.#sorted = merged(this.#sorted, joined(this.#added).sort());
    this.#added = [];
    return this.#sorted;
  }
}

function joined(parts: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Two ascending columns as one. */
function merged(a: Float64Array<ArrayBuffer>, b: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const all = new Float64Array(a.length + b.length);
  let i = 0;
  let j = 0;
  for (let k = 0; k < all.length; k++) {
    const fromA = j === b.length || (i < a.length && a[i]! <= b[j]!);
    all[k] = fromA ? a[i++]! : b[j++]!;
  }
  return all;
}
