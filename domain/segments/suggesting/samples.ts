import { SECOND } from '../../time.js';
import { layoutOf, toOf } from '../layout.js';
import { columnsOfFeature, enabledOf, planOf } from '../plan.js';
import type { Block, Sources } from '../ports.js';
import type { Feature, Recipe } from '../recipe.js';
import { stepsIn } from '../steps.js';
import { buildTable } from '../table.js';
import type { Samples } from './judge.js';

/** Rows that are looked at, the newest; of several entities together. */
const ROWS = 3_000;
const MOST_ENTITIES = 20;
/** Longer windows than this are cut short by where the rows begin. */
const WARM_UP = 2_000;

const AHEAD: readonly string[] = ['calendar', 'fourier', 'holiday'];

/** The rows, and each column of the table as far as it is known when a row is forecast. */
export type Gathered = { readonly samples: Samples; readonly columns: ReadonlyMap<string, Float64Array> };

/**
 * The newest rows of a table as examples of forecasts `horizon` steps ahead. What is known ahead (inputs that
 * are, and the calendar) stands as it is at the step that is forecast, all else as it is in the row.
 */
export async function gather(recipe: Recipe, sources: Sources, more: readonly Feature[]): Promise<Gathered> {
  const steps = stepsIn(recipe);
  const { entities, span } = await layoutOf(recipe, sources, steps);
  const chosen = spread(
    entities.map(({ entity }) => entity!),
    MOST_ENTITIES,
  );
  const rows = Math.ceil(ROWS / (recipe.entity_mode === 'single' ? 1 : chosen.length));
  const from = Math.max(span.from, steps.startOf(span.to - (rows + WARM_UP) * recipe.step_s * SECOND));
  const own: Recipe = {
    ...recipe,
    from,
    to: toOf(recipe),
    features: [...recipe.features, ...more],
    split: { ...recipe.split, folds: 0, gap: 0 },
  };
  const plan = planOf(own);
  const names = plan.columns.map(({ name }) => name);
  const gathering = new Gathering(
    recipe.split.horizon,
    rows,
    plan.columns.map(({ role }) => role === 'known_future'),
  );
  const features = enabledOf(own).filter(({ kind }) => AHEAD.includes(kind));
  for (const name of features.flatMap(feature => columnsOfFeature(feature)))
    gathering.isAhead[names.indexOf(name)] = true;
  const some = { ...sources, entities: async () => chosen };
  await buildTable(own, some, gathering, { hashing: null });
  return gathering.result(names);
}

/** At most so many of a list, evenly from all of it. */
const spread = <T>(list: readonly T[], most: number): T[] =>
  list.filter((_, i) => Math.floor((i * most) / list.length) !== Math.floor(((i - 1) * most) / list.length));

type Own = { times: Float64Array; columns: Float64Array[] };

/** Keeps the newest rows of each entity. */
class Gathering {
  readonly #own = new Map<string | null, Own>();

  constructor(
    readonly horizon: number,
    readonly rows: number,
    readonly isAhead: boolean[],
  ) {}

  async block({ entity, isAhead, times, columns }: Block): Promise<void> {
    if (isAhead) return;
    const before = this.#own.get(entity);
    const newest = (old: Float64Array | undefined, more: Float64Array): Float64Array =>
      Float64Array.from([...(old ?? []), ...more].slice(-this.rows));
    this.#own.set(entity, {
      times: newest(before?.times, times),
      columns: columns.map((column, c) => newest(before?.columns[c], column)),
    });
  }

  result(names: readonly string[]): Gathered {
    const { horizon } = this;
    const places = [...this.#own.values()].flatMap(own =>
      Array.from({ length: Math.max(0, own.times.length - horizon) }, (_, row) => ({ own, row })),
    );
    places.sort((a, b) => a.own.times[a.row]! - b.own.times[b.row]!);
    const each = (read: (own: Own, row: number) => number): Float64Array =>
      Float64Array.from(places, ({ own, row }) => read(own, row));
    return {
      samples: {
        target: each((own, row) => own.columns[0]![row + horizon]!),
        at: each((own, row) => own.times[row]!),
        ready: each((own, row) => own.times[row + horizon]!),
      },
      columns: new Map(
        names.map((name, c) => [
          name,
          each((own, row) => own.columns[c]![row + (this.isAhead[c] ? horizon : 0)]!),
        ]),
      ),
    };
  }
}
