import type { Counts } from './aggregate.js';
import type { ColumnBuffer } from './columns.js';
import { Likeness } from './moments.js';
import type { Plan } from './plan.js';
import type { Column, Quality } from './ports.js';
import type { StateReader, StateWriter } from './saved.js';

/** An input that is this much like the target, now or a step later, may well be made from it. */
const TOO_ALIKE = 0.9999;

/** Of what events do to the target. */
const LEARNED = 'its curve was measured on this target, also on steps that folds test on';

/** What is seen of one column, block after block. */
class ColumnLook {
  missing = 0;
  low = Infinity;
  high = -Infinity;
  /** Of a signal: runs of empty steps between values, points in steps, steps that were filled. */
  gaps = 0;
  readonly points: Counts = { singles: 0, several: 0, further: 0 };
  filled = 0;
  /** 0: no value yet; 1: in values; 2: in a run of empty steps. */
  #phase = 0;

  begin(): void {
    this.#phase = 0;
  }

  /** Values as they stand in the table; how many are missing. */
  values(values: Float64Array): number {
    let { low, high } = this;
    let missing = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (value < low) low = value;
      if (value > high) high = value;
      // Of all numbers NaN alone is neither below nor above
      if (!(value <= high)) missing++;
    }
    this.low = low;
    this.high = high;
    return missing;
  }

  /** Values of a signal before and after holes were filled. */
  holes(raw: Float64Array, filled: Float64Array): void {
    for (let i = 0; i < filled.length; i++) {
      if (Number.isNaN(raw[i]!)) {
        this.missing++;
        if (this.#phase === 1) this.#phase = 2;
        if (!Number.isNaN(filled[i]!)) this.filled++;
        continue;
      }
      if (this.#phase === 2) this.gaps++;
      this.#phase = 1;
    }
  }

  get duplicates(): number {
    const { singles, several, further } = this.points;
    return singles > several ? further : 0;
  }

  save(state: StateWriter): void {
    const { singles, several, further } = this.points;
    state.put(this.missing, this.low, this.high, this.gaps, this.filled, this.#phase);
    state.put(singles, several, further);
  }

  load(state: StateReader): void {
    this.missing = state.take();
    this.low = state.take();
    this.high = state.take();
    this.gaps = state.take();
    this.filled = state.take();
    this.#phase = state.take();
    this.points.singles = state.take();
    this.points.several = state.take();
    this.points.further = state.take();
  }
}

type Alike = { readonly name: string; readonly now: Likeness; readonly next: Likeness };

/** What is seen of a table as its blocks go by; rows ahead of the past do not count. */
export class QualityWatch {
  readonly #looks: ReadonlyMap<string, ColumnLook>;
  readonly #alike: readonly Alike[];
  rows = 0;

  constructor(
    readonly plan: Plan,
    readonly fillsLinear: boolean,
  ) {
    this.#looks = new Map(plan.columns.map(({ name }) => [name, new ColumnLook()]));
    this.#alike = plan.columns
      .filter(({ role }) => role === 'past' || role === 'known_future')
      .map(({ name }) => ({ name, now: new Likeness(), next: new Likeness() }));
  }

  /** Another entity's rows follow. */
  begin(): void {
    for (const look of this.#looks.values()) look.begin();
  }

  points(column: string): Counts {
    return this.#looks.get(column)!.points;
  }

  holes(column: string, raw: Float64Array, filled: Float64Array): void {
    this.#looks.get(column)!.holes(raw, filled);
  }

  /** Rows of all columns; inputs keep one row before them. */
  table(columnOf: (name: string) => ColumnBuffer, rows: number): void {
    this.rows += rows;
    for (const { name, role } of this.plan.columns) {
      const values = columnOf(name).now(rows);
      const look = this.#looks.get(name)!;
      const missing = look.values(values);
      // Those of signals were counted before they were filled
      if (role === 'feature' || role === 'static') look.missing += missing;
    }
    const target = columnOf(this.plan.columns[0]!.name).now(rows);
    for (const { name, now, next } of this.#alike) {
      const { values, back } = columnOf(name);
      now.add(values, back, target, 0, rows);
      next.add(values, back - 1, target, 0, rows);
    }
  }

  columns(): Column[] {
    return this.plan.columns.map(({ name, role }) => ({
      ...{ name, role, dtype: 'float64' as const },
      missing_ratio: this.#looks.get(name)!.missing / Math.max(1, this.rows),
    }));
  }

  quality(): Quality {
    const looks = [...this.#looks.values()];
    const total = (of: (look: ColumnLook) => number): number =>
      looks.reduce((sum, look) => sum + of(look), 0);
    const constant = this.plan.columns.filter(({ name, role }) => {
      const { low, high } = this.#looks.get(name)!;
      return role !== 'static' && !(low < high);
    });
    return {
      gaps: total(({ gaps }) => gaps),
      duplicates: total(({ duplicates }) => duplicates),
      constant_columns: constant.map(({ name }) => name),
      leakage_warnings: [
        ...this.#alike.flatMap(each => this.#warnings(each)),
        ...this.plan.responses.map(column => ({ column, reason: LEARNED })),
      ],
    };
  }

  save(state: StateWriter): void {
    state.put(this.rows);
    for (const look of this.#looks.values()) look.save(state);
    for (const { now, next } of this.#alike) {
      now.save(state);
      next.save(state);
    }
  }

  load(state: StateReader): void {
    this.rows = state.take();
    for (const look of this.#looks.values()) look.load(state);
    for (const { now, next } of this.#alike) {
      now.load(state);
      next.load(state);
    }
  }

  #warnings({ name, now, next }: Alike): { column: string; reason: string }[] {
    const reasons: string[] = [];
    const [r, later] = [now.correlation(), next.correlation()];
    if (Math.abs(r) > TOO_ALIKE) reasons.push(`correlates with the target of the same step: ${r.toFixed(6)}`);
    if (Math.abs(later) > TOO_ALIKE)
      reasons.push(`correlates with the target of the next step: ${later.toFixed(6)}`);
    const { filled } = this.#looks.get(name)!;
    if (this.fillsLinear && filled > 0)
      reasons.push(`${filled} steps are filled on a line to the value after them, which was not known then`);
    return reasons.map(reason => ({ column: name, reason }));
  }
}
