import { entityOf } from '../maths/series/units.js';
import { MINUTE, SECOND } from '../time.js';
import type { Change, MarkStale } from './commands.js';
import type { KeptRecipe, SegmentWentStale } from './facts.js';
import { changedRows, type Span } from './reach.js';
import { MOST_TOLD, respondingTo } from './responses.js';
import { countsStill, type Changed, type LiveSegment } from './state.js';
import { stepsIn } from './steps.js';

/** So many changes since a build are told as they come, the further ones after pauses that double. */
const TOLD_AT_ONCE = 10;
const LONGEST_PAUSE = 10 * MINUTE;

/** What changes make stale; []: nothing that was not so before, or the next build reads it anyway. */
export function markStale({ data }: MarkStale, state: LiveSegment): readonly SegmentWentStale[] {
  const { segmentId, changes, at } = data;
  const told = countsStill(state);
  const found = changes
    .filter(({ upTo }) => isOfInterest(state, upTo))
    .flatMap(change => hullOf(state, change) ?? []);
  if (found.length === 0) return [];
  const all = (told ? [told, ...found] : found).reduce(both);
  const rows = rowsOf(state, all);
  const isNews = !told || rows > told.rows;
  if (!isNews || (told && at < told.toldAt + pauseAfter(told.told))) return [];
  const { from, to, entity, upTo } = all;
  return [{ type: 'SegmentWentStale', data: { segmentId, from, to, entity, upTo, changedRows: rows } }];
}

/** Whether a table, or a build that is under way, may lack what a fact at a position changed. */
function isOfInterest({ status, last, table }: LiveSegment, upTo: number): boolean {
  if (status === 'failed') return false;
  const readAt = status === 'building' ? last.startedAt : table!.readAt;
  return readAt !== null && upTo > readAt;
}

type Hull = Pick<Changed, 'from' | 'to' | 'entity' | 'upTo'>;

function hullOf(state: LiveSegment, change: Change): Hull | null {
  const { recipe, table } = state;
  const { read, times, entity, upTo } = change;
  if (read.kind === 'response' && !concerns(state, change)) return null;
  const span = spanOf(table);
  const rows = times && changedRows(recipe, read, times, span ?? times);
  if (times && !rows) return null;
  const hull = rows ?? span;
  return hull && { ...hull, entity, upTo };
}

/** Whether what a response was made by may be another, of the table or of a build that is under way. */
function concerns({ recipe, table, status }: LiveSegment, { read: { key }, by }: Change): boolean {
  if (!respondingTo(recipe).includes(key)) return false;
  const used = table?.responses ?? [];
  if (!by || status === 'building' || used.length === MOST_TOLD) return true;
  const own = used.filter(({ stream }) => stream === key);
  if (by.what === 'scores')
    return own.some(({ weighedBy }) => weighedBy === 'importance' || weighedBy === 'impact');
  const { edgeId, goalId, target } = by;
  if (own.some(each => (edgeId === null ? each.goalId === goalId : each.edgeId === edgeId))) return true;
  if (target === null) return false;
  return recipe.entity_mode === 'single'
    ? target === recipe.target
    : entityOf(target)?.base === recipe.target;
}

/** The first build is under way: what it makes is not known yet. */
const spanOf = (table: LiveSegment['table']): Span | null =>
  table && { from: table.span.from, to: table.span.to };

const both = (a: Hull, b: Hull): Hull => ({
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
  entity: a.entity === b.entity ? a.entity : null,
  upTo: Math.max(a.upTo, b.upTo),
});

function rowsOf({ recipe, table }: LiveSegment, { from, to, entity }: Hull): number {
  const steps = recipe.step_months ? monthsIn(recipe, from, to) : (to - from) / (recipe.step_s * SECOND);
  const rows = Math.max(1, Math.ceil(steps));
  return entity === null ? rows * (table?.entities ?? 1) : rows;
}

/** Begun ones count, too. */
function monthsIn(recipe: KeptRecipe, from: number, to: number): number {
  const { count, startOf, next } = stepsIn(recipe);
  return count(startOf(from), next(startOf(to - 1)));
}

const pauseAfter = (told: number): number =>
  told < TOLD_AT_ONCE ? 0 : Math.min(SECOND * 2 ** (told - TOLD_AT_ONCE), LONGEST_PAUSE);
