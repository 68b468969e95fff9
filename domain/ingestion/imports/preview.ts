import type { ColumnGuess } from '../../tables/sample.js';
import type { Mapping, MappingFault } from './mapping.js';
import type { Problem } from './rows.js';

/** What a file would come to, as far as it was looked at. */
export type Preview = {
  readonly columns: readonly ColumnGuess[];
  /** The first rows, their cells in the order of the columns. */
  readonly sample: readonly (readonly string[])[];
  /** Rows that were looked at, and whether these are all. */
  readonly read: number;
  readonly isWhole: boolean;
  /** What was asked for, completed; null: no column of times was found. */
  readonly mapping: Mapping | null;
  /** Why the mapping cannot be used; [] when it can. Nothing below is counted then. */
  readonly faults: readonly MappingFault[];
  readonly points: number;
  readonly events: number;
  /** Rows of which something is not taken, and the first of what is wrong in them. */
  readonly rejected: number;
  readonly problems: readonly Problem[];
};

export const SAMPLE_SHOWN = 50;
