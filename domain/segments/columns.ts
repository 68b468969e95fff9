import type { StateReader, StateWriter } from './saved.js';
import type { Zone } from './zone.js';

/** A column of the rows at work, with as many of the rows before them as something looks back. */
export class ColumnBuffer {
  readonly values: Float64Array;

  constructor(
    readonly name: string,
    readonly back: number,
    most: number,
  ) {
    this.values = new Float64Array(back + most).fill(NaN);
  }

  /** The rows at work. */
  now(rows: number): Float64Array {
    return this.values.subarray(this.back, this.back + rows);
  }

  /** So many rows are done: the newest of them are kept. */
  pass(rows: number): void {
    this.values.copyWithin(0, rows, rows + this.back);
  }

  save(state: StateWriter): void {
    state.putAll(this.values.subarray(0, this.back));
  }

  load(state: StateReader): void {
    state.takeAll(this.values);
  }
}

/** The rows at work: how many, the number of the first, beginnings of their steps and the end of the last. */
export type Place = { readonly rows: number; readonly first: number; readonly edges: Float64Array };

/** Makes columns of others, rows after rows. What it knows of rows before can be kept. */
export type Machine = {
  run(place: Place): void;
  save?(state: StateWriter): void;
  load?(state: StateReader): void;
};

/** A column that is looked at, and so many rows back from the one at work. */
export type Need = { readonly column: string; readonly back: number };

export type Making = {
  readonly column: (name: string) => ColumnBuffer;
  /** Where the columns that are made go, in the order of their names. */
  readonly outs: readonly ColumnBuffer[];
  readonly zone: Zone;
  /** Whether steps are whole days. */
  readonly isOfDays: boolean;
  /** Whether a day (counted from 1970-01-01) is a public holiday. */
  readonly isHoliday: (country: string, day: number) => boolean;
  /** So many columns of such a length or longer, to write on while a machine runs. */
  readonly sheets: (count: number, length: number) => readonly Float64Array[];
};

/** Sheets that all machines of a table write on, one after the other. */
export function sheetsToShare(): Making['sheets'] {
  let sheets: Float64Array[] = [];
  return (count, length) => {
    const longest = Math.max(length, sheets[0]?.length ?? 0);
    if (sheets[0]?.length !== longest) sheets = [];
    while (sheets.length < count) sheets.push(new Float64Array(longest));
    return sheets;
  };
}

/** What a kind of feature is. */
export type FeatureMaker<Params> = {
  /** The columns it makes. */
  names(name: string, params: Params): readonly string[];
  needs(params: Params): readonly Need[];
  machine(params: Params, making: Making): Machine;
};

export const itself = (name: string): readonly string[] => [name];
