import { SECOND } from '../time.js';
import { columnOfStream, columnsOfFeature, enabledOf, needsOfFeature } from './plan.js';
import type { Recipe } from './recipe.js';
import { respondingTo, streamsIn } from './responses.js';
import { stepsIn } from './steps.js';

/**
 * What a table reads: a signal (in tables of entities its base), a stream of events, or of such a stream what
 * its columns of responses alone hang on.
 */
export type Read = { readonly kind: 'signal' | 'stream' | 'response'; readonly key: string };
/** From and to (not included), epoch ms. */
export type Span = { readonly from: number; readonly to: number };
/** How many rows before and after the one that a point lies in may differ with it. */
type Reach = { readonly before: number; readonly after: number };

/**
 * The rows that may differ in a table with steps from and to, when points or events of what it reads change
 * from one time to another (both included); null: none, they lie outside of what it reads.
 */
export function changedRows(recipe: Recipe, read: Read, times: Span, table: Span): Span | null {
  const lags = lagsOf(recipe, read);
  if (lags.length === 0) return null;
  if (isStatic(recipe, read)) return table;
  const { before, after } = reachOf(recipe, read);
  const steps = stepsIn(recipe);
  const step = recipe.step_s * SECOND;
  const own = steps.startOf(times.from + Math.min(...lags));
  // Days and months differ in length: as far back as usual ones lies the step, or one before it
  const first = steps.startOf(own - before * step);
  const end = steps.next(steps.startOf(times.to + Math.max(...lags)));
  const to = Math.max(end, Math.min(end + after * step, table.to));
  // The rows up to a target that lies outside are new, too
  const isTarget = read.kind === 'signal' && read.key === recipe.target;
  const all = isTarget
    ? { from: Math.min(first, table.to), to: Math.max(to, table.from) }
    : { from: first, to };
  const bounds = boundsOf(recipe, read, table, isTarget);
  const cut = { from: Math.max(all.from, bounds.from), to: Math.min(all.to, bounds.to) };
  return cut.from < cut.to ? cut : null;
}

/** Target, and what is known ahead, make the table longer; the others fill it alone. */
function boundsOf(recipe: Recipe, { kind, key }: Read, table: Span, isTarget: boolean): Span {
  const { from, to, inputs } = recipe;
  const open = { from: from ?? -Infinity, to: to ?? Infinity };
  if (isTarget) return open;
  const isAhead = inputs.some(input => input.key === key && input.role === 'known_future');
  return kind === 'signal' && isAhead ? { from: table.from, to: open.to } : table;
}

/** How much later than its time each use of it counts, ms; []: it is not used. */
function lagsOf(recipe: Recipe, { kind, key }: Read): number[] {
  const { target, inputs } = recipe;
  if (kind !== 'signal') {
    const streams = kind === 'stream' ? streamsIn(recipe) : respondingTo(recipe);
    return streams.includes(key) ? [0] : [];
  }
  return [
    ...(key === target ? [0] : []),
    ...inputs.filter(input => input.key === key).map(({ lag_s: lag }) => lag * SECOND),
  ];
}

const isStatic = ({ inputs }: Recipe, { kind, key }: Read): boolean =>
  kind === 'signal' && inputs.some(input => input.key === key && input.role === 'static');

/** A step's beginning stands for it; where days have 23 to 25 hours one row more may be counted. */
function reachOf(recipe: Recipe, { kind, key }: Read): Reach {
  const { before, after: own } = kind === 'signal' ? ofSignal(recipe, key) : ofStream(recipe, key);
  const reaches = new Map<string, number>();
  if (kind === 'signal') reaches.set(key, own);
  else
    for (const stream of recipe.event_streams)
      if (stream.stream === key) reaches.set(columnOfStream(stream), own);
  for (const { name, kind: of, params } of enabledOf(recipe))
    if (kind !== 'signal' && of === 'event_response' && params.stream === key) reaches.set(name, own);
  let most = own;
  for (const feature of enabledOf(recipe)) {
    const needs = needsOfFeature(feature).filter(({ column }) => reaches.has(column));
    if (needs.length === 0) continue;
    const isForEver = feature.kind === 'ewm';
    const after = isForEver
      ? Infinity
      : Math.max(...needs.map(({ column, back }) => back + reaches.get(column)!));
    for (const column of columnsOfFeature(feature)) reaches.set(column, after);
    most = Math.max(most, after);
  }
  return { before, after: most };
}

/** What decays is never over, and how long an effect lasts is not known here. */
function ofStream(recipe: Recipe, key: string): Reach {
  const isLong =
    recipe.event_streams.some(({ stream, encoding }) => stream === key && encoding === 'decay')
    || respondingTo(recipe).includes(key);
  return { before: 0, after: isLong ? Infinity : 0 };
}

function ofSignal({ target, inputs, fill }: Recipe, key: string): Reach {
  if (key === target) return { before: 0, after: 0 };
  const changes = inputs.some(
    input => input.key === key && (input.transform === 'diff' || input.transform === 'pct_change'),
  );
  const filled = fill.method === 'none' ? 0 : fill.max_gap_steps;
  const season = fill.method === 'seasonal' ? Infinity : 0;
  // A hole may be filled, or no longer be one, up to the next value
  const before = fill.method === 'none' || fill.method === 'ffill' ? 0 : filled;
  return { before, after: filled + season + (changes ? 1 : 0) };
}
