import { createHash } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { Response } from '../../../domain/maths/effects/applied.js';
import type { Weighing } from '../../../domain/maths/effects/answer.js';
import { entityOf } from '../../../domain/maths/series/units.js';
import type { Series } from '../../../domain/maths/series/series.js';
import type {
  BuiltTable,
  Checkpoint,
  EdgeResponse,
  Hashing,
  KeptCheckpoint,
  Sources,
} from '../../../domain/segments/ports.js';
import {
  DEFAULTS,
  type Feature,
  type FeatureKind,
  type FeatureKinds,
  type Recipe,
} from '../../../domain/segments/recipe.js';
import type { EventFigure, NewDigest } from '../../../domain/segments/receipts.js';
import { buildTable } from '../../../domain/segments/table.js';

/** A point or an event; `recorded`: when it became known, from the beginning unless said. */
export type Point = {
  readonly time: number;
  readonly value: number;
  readonly recorded?: number;
  readonly importance?: number;
};
/** What events of a stream do to a target, as it was measured at some time; what came later counts. */
export type Measured = Partial<EdgeResponse> & {
  readonly stream: string;
  readonly target: string;
  readonly response: Response;
  readonly recorded?: number;
};
export const ALIKE: Weighing = { by: 'none', mean: 1 };

export type Known = {
  readonly signals: Readonly<Record<string, readonly Point[]>>;
  readonly events?: Readonly<Record<string, readonly Point[]>>;
  readonly responses?: readonly Measured[];
  readonly holidays?: Readonly<Record<string, readonly number[]>>;
};

/** Sources in memory, as they were known at a moment; pages are short, so that many are read. */
export function sourcesOf(known: Known, asOf = Infinity, aPage = 7): Sources {
  async function* pages(
    points: readonly Point[] = [],
    from: number,
    to: number,
    figure: EventFigure = 'value',
  ): AsyncGenerator<Series> {
    const figureOf = (point: Point): number => (figure === 'impact' ? NaN : (point[figure] ?? NaN));
    const seen = points.filter(
      ({ time, recorded = -Infinity }) => recorded <= asOf && time >= from && time < to,
    );
    seen.sort((a, b) => a.time - b.time);
    for (let i = 0; i < seen.length; i += aPage) {
      const page = seen.slice(i, i + aPage);
      yield { times: page.map(({ time }) => time), values: page.map(figureOf) };
    }
  }
  const points: Sources['points'] = (key, from, to) => pages(known.signals[key], from, to);
  return {
    asOf,
    points,
    events: (stream, from, to, figure) => pages(known.events?.[stream], from, to, figure),
    async responses(stream, target) {
      const found = new Map<string, EdgeResponse>();
      for (const { stream: of, target: on, recorded = -Infinity, ...one } of known.responses ?? []) {
        const edge = { ...{ edgeId: 'edg_1', goalId: 'goa_1', checkId: null, checkedAt: null }, ...one };
        if (of !== stream || on !== target || recorded > asOf) continue;
        found.set(edge.edgeId, { ...{ stepS: 3_600, lift: 0.1, weighing: ALIKE }, ...edge });
      }
      return [...found.values()];
    },
    async span(key, from, to) {
      const times: number[] = [];
      for await (const page of points(key, from, to)) times.push(...page.times);
      return times.length > 0 ? { first: times[0]!, last: times.at(-1)! } : null;
    },
    entities: async base =>
      Object.keys(known.signals).flatMap(key => {
        const found = entityOf(key);
        return found?.base === base ? [found.entity] : [];
      }),
    holidays: async country => known.holidays?.[country] ?? null,
  };
}

/** SHA-256 whose state is all that it was told. */
export function hashing(): Hashing & { readonly text: () => string } {
  let told: Uint8Array = new Uint8Array();
  return {
    update(bytes) {
      told = Buffer.concat([told, bytes]);
    },
    digest: () => createHash('sha256').update(told).digest('hex'),
    save: () => told,
    load(state) {
      told = state;
    },
    text: () => Buffer.from(told).toString('utf8'),
  };
}

export type Row = Readonly<Record<string, number | string | null>>;
export type Table = BuiltTable & {
  readonly rows: readonly Row[];
  readonly checkpoints: readonly Checkpoint[];
  readonly csv: string;
  readonly from: { readonly row: number; readonly block: number };
};

export const newDigest: NewDigest = () => {
  const hash = createHash('sha256');
  return { update: bytes => void hash.update(bytes), digest: () => hash.digest('hex') };
};

/** Checkpoints as they are kept: receipts as JSON, states apart from them. */
export const keptOf = (checkpoints: readonly Checkpoint[], isLost = false): KeptCheckpoint[] =>
  checkpoints.map(({ state, ...each }) => ({
    ...(JSON.parse(JSON.stringify(each)) as typeof each),
    state: async () => (isLost ? null : state),
  }));

/** A table with its rows as objects; of one that goes on from a checkpoint of these, those after it. */
export async function built(
  recipe: Recipe,
  sources: Sources,
  before: readonly Checkpoint[] = [],
  isLost = false,
): Promise<Table> {
  const rows: Row[] = [];
  const checkpoints: Checkpoint[] = [];
  let names: readonly string[] = [];
  let from = { row: 0, block: 0 };
  const hash = hashing();
  const sink = {
    async begin(columns: readonly { readonly name: string }[], at: { row: number; block: number }) {
      names = columns.map(({ name }) => name);
      from = at;
    },
    async block({
      times,
      columns,
      entity,
    }: {
      times: Float64Array;
      columns: readonly Float64Array[];
      entity: string | null;
    }) {
      for (let i = 0; i < times.length; i++) {
        const values = columns.map(
          (column, c) => [names[c]!, Number.isNaN(column[i]!) ? null : column[i]!] as const,
        );
        rows.push({ ts: times[i]!, ...(entity !== null && { entity }), ...Object.fromEntries(values) });
      }
    },
    async checkpoint(checkpoint: Checkpoint) {
      checkpoints.push(checkpoint);
    },
  };
  const table = await buildTable(recipe, sources, sink, {
    hashing: hash,
    resuming: { checkpoints: keptOf(before, isLost), newDigest },
  });
  return { ...table, rows, checkpoints, csv: hash.text(), from };
}

export const feature = <K extends FeatureKind>(name: string, kind: K, params: FeatureKinds[K]): Feature =>
  ({ name, kind, params, enabled: true }) as unknown as Feature;

/** A recipe of daily steps for the target `y`. */
export const recipeOf = (parts: Partial<Recipe> = {}): Recipe => ({
  target: 'y',
  inputs: [],
  event_streams: [],
  entity_mode: DEFAULTS.entity_mode,
  step_s: 86_400,
  timezone: DEFAULTS.timezone,
  from: null,
  to: null,
  fill: DEFAULTS.fill,
  aggregate: DEFAULTS.aggregate,
  normalization: DEFAULTS.normalization,
  features: [],
  split: { ...DEFAULTS.split, folds: 1 },
  ...parts,
});

export const input = (
  key: string,
  parts: Partial<Recipe['inputs'][number]> = {},
): Recipe['inputs'][number] => ({
  key,
  ...DEFAULTS.input,
  ...parts,
});

/** Values one step apart; null where there is none. */
export const pointsOf = (
  values: readonly (number | null)[],
  start = Date.UTC(2024, 0, 1),
  step = 86_400_000,
): Point[] => values.flatMap((value, i) => (value === null ? [] : [{ time: start + i * step, value }]));

export type Values = readonly (number | null)[];

/** Values as another program made them, but for what rounding may do. */
export function assertClose(got: Values, expected: Values, what = ''): void {
  assert.is(got.length, expected.length);
  got.forEach((value, i) => {
    const other = expected[i]!;
    const isSame = value === null || other === null ? value === other : Math.abs(value - other) <= 1e-12;
    assert.ok(isSame, `${what} ${i}: ${value}, not ${other}`);
  });
}

export const columnOf = (table: Table, name: string): (number | null)[] =>
  table.rows.map(row => (row[name] ?? null) as number | null);
