import { iso } from '../../domain/time.js';
import { askForRetry } from '../../workers/engine/retry-requests.js';
import { setAsideQueries, type SetAsideFact } from '../../workers/engine/set-aside-facts.js';
import { codes, Failure } from '../exit.js';
import { result, type Job } from './job.js';

/** `reactor`, `fact`: only its facts, only this one; null: all. */
export type ReactorsOptions = {
  readonly what: 'list' | 'retry';
  readonly reactor: string | null;
  readonly fact: string | null;
};
export type ShownFact = Omit<
  SetAsideFact,
  '_id' | 'workspace' | 'state' | 'first_failed_at' | 'last_failed_at'
> & {
  readonly workspace_id: string | null;
  readonly first_failed_at: string;
  readonly last_failed_at: string;
};
/** `facts`: the oldest of those that are parked; `waiting`: how many others are tried again by themselves. */
export type ReactorsShown = {
  readonly parked: number;
  readonly waiting: number;
  readonly facts: readonly ShownFact[];
};
/** How many parked facts will be tried again, of each reactor. */
export type Retrying = { readonly retrying: Readonly<Record<string, number>> };

const SHOWN = 1_000;
/** In one request, so that it fits into any store. */
const AT_ONCE = 10_000;

/**
 * Shows the facts that reactors have parked, or asks for another try. Only the reactor itself makes it,
 * wherever it runs; with the platform stopped, at its next start.
 */
export const reactorsJob: Job<ReactorsOptions> = async function* ({ platform }, { what, reactor, fact }) {
  const { models, kv } = platform.stores;
  const queries = setAsideQueries(models);
  const those = { ...(reactor !== null && { reactor }), ...(fact !== null && { fact }) };
  const found = await queries.find({ ...those, state: 'parked' }, what === 'list' ? SHOWN : AT_ONCE);
  if (what === 'list') {
    const parked = await queries.count({ ...those, state: 'parked' });
    const waiting = await queries.count({ ...those, state: 'waiting' });
    yield result({ parked, waiting, facts: found.map(shown) } satisfies ReactorsShown);
    return;
  }
  if (found.length === 0 && (reactor ?? fact) !== null)
    throw new Failure('no such fact is parked; presage reactors shows those that are', codes.usage);
  const retrying: Record<string, number> = {};
  for (const name of new Set(found.map(each => each.reactor))) {
    const ids = found.filter(each => each.reactor === name).map(each => each.fact_id);
    await askForRetry(kv, name, ids);
    retrying[name] = ids.length;
  }
  yield result({ retrying } satisfies Retrying);
};

const shown = (doc: SetAsideFact): ShownFact => ({
  reactor: doc.reactor,
  fact_id: doc.fact_id,
  position: doc.position,
  journal: doc.journal,
  revision: doc.revision,
  type: doc.type,
  workspace_id: doc.workspace,
  attempts: doc.attempts,
  first_failed_at: iso(doc.first_failed_at),
  last_failed_at: iso(doc.last_failed_at),
  error: doc.error,
});
