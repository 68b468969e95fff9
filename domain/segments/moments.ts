import type { StateReader, StateWriter } from './saved.js';

/** Few pairs may be alike by chance, two always are. */
const LEAST_PAIRS = 10;

/** How alike two columns are, block after block: means and squared deviations of parts are put together. */
export class Likeness {
  #n = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #yy = 0;
  #xy = 0;

  /** Pairs of `rows` places from `xAt` and `yAt` on; those with a missing value are left out. */
  add(xs: Float64Array, xAt: number, ys: Float64Array, yAt: number, rows: number): void {
    let first = 0;
    while (first < rows && Number.isNaN(xs[xAt + first]! + ys[yAt + first]!)) first++;
    if (first === rows) return;
    // Means are counted from the first pair: those of a column that never changes are exact
    const [x0, y0] = [xs[xAt + first]!, ys[yAt + first]!];
    let n = 0;
    let x = 0;
    let y = 0;
    for (let i = first; i < rows; i++) {
      if (Number.isNaN(xs[xAt + i]! + ys[yAt + i]!)) continue;
      n++;
      x += xs[xAt + i]! - x0;
      y += ys[yAt + i]! - y0;
    }
    x = x0 + x / n;
    y = y0 + y / n;
    let xx = 0;
    let yy = 0;
    let xy = 0;
    for (let i = first; i < rows; i++) {
      const dx = xs[xAt + i]! - x;
      const dy = ys[yAt + i]! - y;
      if (Number.isNaN(dx + dy)) continue;
      xx += dx * dx;
      yy += dy * dy;
      xy += dx * dy;
    }
    this.#join(n, x, y, xx, yy, xy);
  }

  /** NaN where one of them never changes, or of fewer than `LEAST_PAIRS` pairs. */
  correlation(): number {
    if (this.#n < LEAST_PAIRS) return NaN;
    return this.#xy / Math.sqrt(this.#xx * this.#yy);
  }

  save(state: StateWriter): void {
    state.put(this.#n, this.#x, this.#y, this.#xx, this.#yy, this.#xy);
  }

  load(state: StateReader): void {
    this.#n = state.take();
    this.#x = state.take();
    this.#y = state.take();
    this.#xx = state.take();
    this.#yy = state.take();
    this.#xy = state.take();
  }

  #join(n: number, x: number, y: number, xx: number, yy: number, xy: number): void {
    const all = this.#n + n;
    const dx = x - this.#x;
    const dy = y - this.#y;
    const weight = (this.#n * n) / all;
    this.#xx += xx + dx * dx * weight;
    this.#yy += yy + dy * dy * weight;
    this.#xy += xy + dx * dy * weight;
    this.#x += (dx * n) / all;
    this.#y += (dy * n) / all;
    this.#n = all;
  }
}
