import type { Stores } from '../../adapters/open.js';
import { history, type Filter } from '../../workers/engine/history.js';
import { result, row, type Job } from './job.js';
import { shown } from './shown.js';

/** `after`: a position; `limit` null: no limit. */
export type AuditOptions = {
  readonly filter: Filter;
  readonly after: number;
  readonly limit: number | null;
  readonly follow: boolean;
};
/** `last`: position of the last fact found; null: none was. */
export type Audited = { readonly facts: number; readonly last: number | null };

/** Rows are facts, as they are stored but for secrets. */
export const auditJob: Job<AuditOptions, { readonly stores: Pick<Stores, 'events'> }> = async function* (
  { platform, signal },
  { filter, after, limit, follow },
) {
  let facts = 0;
  let last: number | null = null;
  const range = { after, limit: limit ?? Number.POSITIVE_INFINITY, follow, signal };
  for await (const fact of history(platform.stores.events, filter, range)) {
    yield row(shown(fact));
    facts++;
    last = fact.position;
  }
  const found: Audited = { facts, last };
  yield result(found);
};
