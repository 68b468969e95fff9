import { firstFrom } from '../maths/series/series.js';
import { MinmaxFitter, RobustFitter, ZscoreFitter, type Fitter, type Params } from './fitting.js';
import type { BuiltTable, TableReader } from './ports.js';
import type { Normalization, Recipe } from './recipe.js';
import { foldsOf } from './splits.js';

export type ColumnParams = Readonly<Record<string, Params>>;
export type FittedOn = { readonly from: number; readonly to: number };

/**
 * What was learned from the training part of a fold: of each column, or, with scope `per_entity`, of each
 * entity and then each column. Empty for methods that learn nothing, and with scope `per_window`, where each
 * window is fitted when it is used.
 */
export type FittedFold = {
  readonly fitted_on: FittedOn;
  readonly params: ColumnParams | Readonly<Record<string, ColumnParams>>;
};

/** The values at the top are those of the last fold; null and empty where nothing is fitted. */
export type FittedNormalization = Normalization & {
  readonly fitted_on: FittedOn | null;
  readonly params: FittedFold['params'];
  readonly folds: readonly FittedFold[];
};

/** Values that are held at once where a method needs all of a column. */
const HELD = 8_000_000;

const fitters = {
  zscore: () => new ZscoreFitter(),
  minmax: () => new MinmaxFitter(),
  robust: () => new RobustFitter(),
} as const;
type Learning = keyof typeof fitters;
const learns = (method: Normalization['method']): method is Learning => Object.hasOwn(fitters, method);

type Table = Pick<BuiltTable, 'row_count' | 'columns' | 'span' | 'entities'>;

/** Fits a normalisation on the training part of each fold, never on more; rows of the table stay raw. */
export async function fitNormalization(
  recipe: Recipe,
  table: Table,
  read: TableReader,
): Promise<FittedNormalization> {
  const { method, scope } = recipe.normalization;
  const cuts = foldsOf(recipe, table.span).map(({ train: { from, to } }) => ({ from, to }));
  const nothing = { method, scope, fitted_on: null, params: {} };
  if (method === 'none') return { ...nothing, folds: [] };
  if (scope === 'per_window' || !learns(method))
    return { ...nothing, folds: cuts.map(fitted_on => ({ fitted_on, params: {} })) };
  const isByEntity = scope === 'per_entity' && table.entities !== null;
  const learned = new Learned(cuts, isByEntity, fitters[method]);
  const names = table.columns.map(({ name }) => name);
  const atOnce = method === 'robust' ? Math.max(1, Math.floor(HELD / table.row_count)) : names.length;
  for (let i = 0; i < names.length; i += atOnce) await learned.columns(names.slice(i, i + atOnce), read);
  const folds = learned.folds();
  const last = folds.at(-1)!;
  return { method, scope, fitted_on: last.fitted_on, params: last.params, folds };
}

/** Stands for all entities together: no entity is called so. */
const ALL = '';

class Learned {
  /** Of each fold: of each entity, of each column. */
  readonly #params: readonly Map<string, Map<string, Params>>[];

  constructor(
    readonly cuts: readonly FittedOn[],
    readonly isByEntity: boolean,
    readonly fitter: () => Fitter,
  ) {
    this.#params = cuts.map(() => new Map());
  }

  /** Learns of some columns in one pass over the table. */
  async columns(names: readonly string[], read: TableReader): Promise<void> {
    let whose: string | null = null;
    let parts = this.#parts(names);
    for await (const { entity, times, columns } of read(names)) {
      const own = this.isByEntity ? entity! : ALL;
      if (whose !== null && own !== whose) {
        this.#keep(whose, names, parts);
        parts = this.#parts(names);
      }
      whose = own;
      let begin = 0;
      this.cuts.forEach(({ to }, fold) => {
        const end = firstFrom(times, to);
        columns.forEach((column, i) => void parts[fold]![i]!.add(column.subarray(begin, end)));
        begin = end;
      });
    }
    if (whose !== null) this.#keep(whose, names, parts);
  }

  folds(): FittedFold[] {
    return this.cuts.map((fitted_on, fold) => {
      const all = this.#params[fold]!;
      const ofEntity = (entity: string): ColumnParams => Object.fromEntries(all.get(entity) ?? []);
      if (!this.isByEntity) return { fitted_on, params: ofEntity(ALL) };
      return { fitted_on, params: Object.fromEntries([...all.keys()].map(key => [key, ofEntity(key)])) };
    });
  }

  /** What lies between the end of one fold's training and that of the next is looked at by itself. */
  #parts(names: readonly string[]): Fitter[][] {
    return this.cuts.map(() => names.map(this.fitter));
  }

  #keep(entity: string, names: readonly string[], parts: readonly (readonly Fitter[])[]): void {
    const totals = names.map(this.fitter);
    parts.forEach((own, fold) => {
      const ofEntity = this.#params[fold]!.get(entity) ?? new Map<string, Params>();
      this.#params[fold]!.set(entity, ofEntity);
      names.forEach((name, i) => {
        totals[i]!.take(own[i]!);
        ofEntity.set(name, totals[i]!.params());
      });
    });
  }
}

/**
 * Values as a method gives them on; what never changed becomes 0, what is missing stays so, and what has no
 * finite value becomes missing.
 */
export function normalised(
  method: Normalization['method'],
  params: Params | undefined,
  values: Float64Array,
): Float64Array {
  if (method === 'none') return values;
  if (method === 'log1p') return values.map(value => (value > -1 ? Math.log1p(value) : NaN));
  if (method === 'asinh') return values.map(Math.asinh);
  const [middle, scale] = scaleOf(method, params ?? {});
  return values.map(value => (scale === 0 ? value - value : (value - middle) / scale));
}

function scaleOf(method: Learning, params: Params): [middle: number, scale: number] {
  const of = (name: string): number => params[name] ?? NaN;
  if (method === 'zscore') return [of('mean'), of('std')];
  if (method === 'minmax') return [of('min'), of('max') - of('min')];
  return [of('median'), of('iqr')];
}
