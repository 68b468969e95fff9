import type { Weighing } from '../maths/effects/answer.js';
import type { Response } from '../maths/effects/applied.js';
import type { Series } from '../maths/series/series.js';
import type { EventFigure, NewDigest, Receipt } from './receipts.js';
import type { Recipe } from './recipe.js';

/** The edge that tells what events do, and the check that last looked at it; times are epoch ms. */
export type OfEdge = {
  readonly edgeId: string;
  readonly goalId: string;
  readonly checkId: string | null;
  readonly checkedAt: number | null;
};
/** `response`: to an event of weight 1, in units of the target; steps are the goal's, lift is the edge's. */
export type EdgeResponse = OfEdge & {
  readonly stepS: number;
  readonly lift: number;
  readonly weighing: Weighing;
  readonly response: Response;
};
/** What a table was built with, of a stream and an entity (null: there are none). */
export type UsedResponse = Omit<EdgeResponse, 'stepS' | 'lift'> & {
  readonly stream: string;
  readonly entity: string | null;
};

/**
 * What a build reads. All of it is as it was known at one moment (`as_of`), and the same throughout a build.
 * Times are epoch ms; `from` is included, `to` is not; pages come in order of time.
 */
export type Sources = {
  /** That moment: what happens later is known of, and has not happened. */
  readonly asOf: number;
  /** The times of the first and the last point of a signal between two times; null: there is none. */
  span(key: string, from: number, to: number): Promise<{ first: number; last: number } | null>;
  points(key: string, from: number, to: number): AsyncIterable<Series>;
  /** Events may share a time; what is read of them is NaN where an event has none. */
  events(stream: string, from: number, to: number, figure: EventFigure): AsyncIterable<Series>;
  /** What events of a stream do to a signal, by all edges that tell it and act. */
  responses(stream: string, target: string): Promise<readonly EdgeResponse[]>;
  /** The entities of a base, without the base and the `__`; in any order. */
  entities(base: string): Promise<readonly string[]>;
  /**
   * The public holidays of a country (`DE`, `DE-BY`) in the years `from` to `to`, both included, as days
   * counted from 1970-01-01; null: no such country is known.
   */
  holidays(country: string, from: number, to: number): Promise<readonly number[] | null>;
};

export type ColumnRole = 'target' | InputColumnRole | 'event' | 'feature';
type InputColumnRole = 'past' | 'known_future' | 'static';

/** `missing_ratio`: the share of rows without a value, of target and inputs before they were filled. */
export type Column = {
  readonly name: string;
  readonly dtype: 'float64';
  readonly role: ColumnRole;
  readonly missing_ratio: number;
};

/**
 * Rows of one entity that follow each other: the target first, then the inputs, streams and features, each
 * group in order of names. NaN is null. The arrays belong to the builder: what is kept must be copied before
 * `block` resolves. Blocks of an entity hold `BLOCK_ROWS` rows, the last fewer; rows ahead of the past stand
 * in blocks of their own.
 */
export type Block = {
  readonly entity: string | null;
  /** The number of its first row in the whole table. */
  readonly row: number;
  readonly isAhead: boolean;
  /** Beginnings of steps, epoch ms. */
  readonly times: Float64Array;
  readonly columns: readonly Float64Array[];
};

export const BLOCK_ROWS = 4_096;

/**
 * What a later build of the same recipe may go on from, without the rows before: all that was read lies
 * before `readTo` (epoch ms). `state` may be kept as bytes. About as large as the windows that look back.
 */
export type Checkpoint = {
  readonly entity: string | null;
  /** So many rows of the table, and of blocks, lie before. */
  readonly row: number;
  readonly block: number;
  readonly readTo: number;
  readonly state: Uint8Array;
  /** What the rows stand on that were made since the checkpoint before. */
  readonly receipts: readonly Receipt[];
};
/** Its state is fetched when it is needed; null: it is gone. */
export type KeptCheckpoint = Omit<Checkpoint, 'state'> & {
  readonly state: () => Promise<Uint8Array | null>;
};

/**
 * So many rows and blocks stand already, more than 0 where a build goes on from a checkpoint; `span` is that
 * of the whole table.
 */
export type Beginning = { readonly row: number; readonly block: number; readonly span: BuiltTable['span'] };

export type Sink = {
  /**
   * Once, before the first block. `missing_ratio` is not known yet and 0.
   */
  begin?(columns: readonly Column[], beginning: Beginning): Promise<void>;
  block(block: Block): Promise<void>;
  /** Told where the build is to go on from others. */
  checkpoint?(checkpoint: Checkpoint): Promise<void>;
};

/** A hash that is fed piece by piece, and whose state can be kept. */
export type Hashing = {
  update(bytes: Uint8Array): void;
  /** In hexadecimal. */
  digest(): string;
  save(): Uint8Array;
  load(state: Uint8Array): void;
};

export type Quality = {
  /** Runs of empty steps between values of target and inputs. */
  readonly gaps: number;
  /** Further points in steps of a signal most of whose steps have one. */
  readonly duplicates: number;
  readonly constant_columns: readonly string[];
  readonly leakage_warnings: readonly { readonly column: string; readonly reason: string }[];
  /** What else is to be known of the table, where there is anything. */
  readonly warnings?: readonly QualityWarning[];
};
export type QualityWarning = { readonly code: 'calendar_months'; readonly message: string };

/** `row_count` is of all rows, `ahead` of those after the last target. `table_hash` is of the others. */
export type BuiltTable = {
  readonly row_count: number;
  readonly ahead: number;
  readonly columns: readonly Column[];
  /** The time of the last point of the target. */
  readonly data_cutoff: number;
  /** The steps of the past: beginning of the first, end of the last; how many. */
  readonly span: { readonly from: number; readonly to: number; readonly steps: number };
  readonly entities: readonly string[] | null;
  readonly quality: Quality;
  /** What columns of responses were made by. */
  readonly responses: readonly UsedResponse[];
  /** Null where the build was told no hash. */
  readonly table_hash: string | null;
};

export type BuildOptions = {
  /** Null: the hash is not needed, as for a preview. */
  readonly hashing: Hashing | null;
  /**
   * All checkpoints of an earlier build of the same recipe, in order, or none. What they stand on is read
   * again: from the latest before which nothing changed the build goes on. Blocks and rows before it are as
   * they were, and are not told again.
   */
  readonly resuming?: { readonly checkpoints: readonly KeptCheckpoint[]; readonly newDigest: NewDigest };
};

/**
 * Builds a table: tells its blocks in order to the sink, each awaited, in memory that does not grow with the
 * rows.
 * @throws Rejected 422 `segment_too_large` over `LIMITS.rows` rows, 422 `segment_too_short` where there are
 *   no rows or fewer than the folds need
 */
export type BuildTable = (
  recipe: Recipe,
  sources: Sources,
  sink: Sink,
  options: BuildOptions,
) => Promise<BuiltTable>;

/** Reads a built table back: these columns in this order, the rows ahead left out. */
export type TableReader = (columns: readonly string[]) => AsyncIterable<Block>;
