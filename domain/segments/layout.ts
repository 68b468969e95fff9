import { SEPARATOR } from '../maths/series/units.js';
import { Rejected } from '../rejected.js';
import { EARLIEST, LATEST, SECOND } from '../time.js';
import { BLOCK_ROWS, type Sources } from './ports.js';
import { LIMITS, type Recipe } from './recipe.js';
import type { Steps } from './steps.js';

/** The rows of one entity: beginning of the first, end of the past, how many, and how many ahead of it. */
export type EntityRows = {
  readonly entity: string | null;
  readonly start: number;
  readonly end: number;
  readonly past: number;
  readonly ahead: number;
  readonly firstAt: number;
  /** The last point of the target. */
  readonly lastAt: number;
};

/** The most rows of an entity that are at work at a time. */
export const blockOf = ({ past, ahead }: EntityRows): number => Math.min(BLOCK_ROWS, Math.max(past, ahead));

export type Layout = {
  readonly entities: readonly EntityRows[];
  readonly span: { readonly from: number; readonly to: number; readonly steps: number };
};

export const fromOf = ({ from }: Recipe): number => from ?? EARLIEST;
export const toOf = ({ to }: Recipe): number => to ?? LATEST + 1;

/** Which rows a table has: from the step of the target's first point in the window to that of its last. */
export async function layoutOf(recipe: Recipe, sources: Sources, steps: Steps): Promise<Layout> {
  const entities: EntityRows[] = [];
  let rows = 0;
  for (const entity of await entitiesOf(recipe, sources)) {
    const own = await rowsOf(recipe, sources, steps, entity);
    if (!own) continue;
    rows += own.past + own.ahead;
    if (rows > LIMITS.rows) throw tooLarge();
    entities.push(own);
  }
  if (entities.length === 0) throw tooShort('the target has no points between from and to');
  const from = entities.reduce((least, { start }) => Math.min(least, start), Infinity);
  const to = entities.reduce((most, { end }) => Math.max(most, end), -Infinity);
  const span = { from, to, steps: steps.count(from, to) };
  checkFolds(recipe, span.steps);
  return { entities, span };
}

async function entitiesOf(recipe: Recipe, sources: Sources): Promise<readonly (string | null)[]> {
  if (recipe.entity_mode === 'single') return [null];
  return [...(await sources.entities(recipe.target))].sort();
}

/** The signal of a key for an entity; an input that the entity has none of is the signal of the plain key. */
export async function signalOf(key: string, entity: string | null, sources: Sources): Promise<string> {
  if (entity === null) return key;
  const own = key + SEPARATOR + entity;
  return (await sources.span(own, EARLIEST, LATEST + 1)) ? own : key;
}

export const targetOf = ({ target }: Recipe, entity: string | null): string =>
  entity === null ? target : target + SEPARATOR + entity;

async function rowsOf(
  recipe: Recipe,
  sources: Sources,
  steps: Steps,
  entity: string | null,
): Promise<EntityRows | null> {
  const span = await sources.span(targetOf(recipe, entity), fromOf(recipe), toOf(recipe));
  if (!span) return null;
  const start = steps.startOf(span.first);
  const end = steps.next(steps.startOf(span.last));
  const past = rowsBetween(recipe, steps, start, end);
  const until = await knownUntil(recipe, sources, steps, entity);
  const ahead = until > end ? rowsBetween(recipe, steps, end, until) : 0;
  return { entity, start, end, past, ahead, firstAt: span.first, lastAt: span.last };
}

function rowsBetween({ step_s: seconds }: Recipe, steps: Steps, from: number, to: number): number {
  // Days are counted one by one, which takes long; few zones had one that lasted for two
  if ((to - from) / (seconds * SECOND) > LIMITS.rows + 2) throw tooLarge();
  const rows = steps.count(from, to);
  if (rows > LIMITS.rows) throw tooLarge();
  return rows;
}

/** The end of the last step that every input has which is known ahead; -Infinity where there is none. */
async function knownUntil(recipe: Recipe, sources: Sources, steps: Steps, entity: string | null) {
  const known = recipe.inputs.filter(({ role }) => role === 'known_future');
  let least = known.length > 0 ? Infinity : -Infinity;
  for (const { key, lag_s: lag } of known) {
    const span = await sources.span(await signalOf(key, entity, sources), fromOf(recipe), toOf(recipe));
    const until = span ? steps.next(steps.startOf(span.last + lag * SECOND)) : -Infinity;
    least = Math.min(least, until);
  }
  return least;
}

const tooLarge = (): Rejected =>
  new Rejected('unprocessable', 'segment_too_large', `A segment has at most ${LIMITS.rows} rows`, {
    limit: LIMITS.rows,
  });

export const tooShort = (message: string, details: Readonly<Record<string, unknown>> = {}): Rejected =>
  new Rejected('unprocessable', 'segment_too_short', message, details);

function checkFolds({ split: { folds, horizon, gap } }: Recipe, steps: number): void {
  const needed = folds * horizon + gap + 1;
  if (steps < needed)
    throw tooShort(
      `${steps} steps are too few for ${folds} folds of ${horizon} steps: ${needed} are needed`,
      {
        needed,
        got: steps,
      },
    );
}
