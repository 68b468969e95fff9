import type { Context, Handle, Load } from '../commands/engine/handle.js';
import { eventJournalId, events, rescorable } from '../domain/events/decider.js';
import type { Profile, Scorer } from '../domain/events/scoring.js';
import type { EventQueries, Scored } from '../projections/events/queries.js';
import { isPassing } from './engine/failures.js';
import { versionWith, withNovelty } from './scoring.js';

type Rescoring = {
  readonly queries: Pick<EventQueries, 'versions' | 'novelty'>;
  readonly scorer: Scorer;
  readonly profileOf: (workspace: string) => Promise<Profile>;
  readonly handle: Handle;
  readonly load: Load;
  readonly contextOf: (workspace: string) => Context;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Told of each event that could not be scored; the others are. */
  readonly failed: (eventId: string, error: unknown) => void;
};
/**
 * How far it is: events looked at, those of them that got other scores, and those that could not be scored.
 * `position`: of the last fact written.
 */
export type RescoreProgress = {
  readonly seen: number;
  readonly rescored: number;
  readonly failed: number;
  readonly position: number | null;
};

const PAGE_SIZE = 256;

/**
 * Scores every event anew whose scores another version made: new facts beside the old ones. What is up to
 * date already is passed over, so that it can be broken off and begun again.
 * @throws what a store fails with, once nothing is under way any more
 */
export async function* rescoring({
  concurrency,
  signal,
  failed: tell,
  ...deps
}: Rescoring): AsyncGenerator<RescoreProgress> {
  const profiles = remembered(deps.profileOf);
  let seen = 0;
  let rescored = 0;
  let failed = 0;
  let position: number | null = null;
  for (let after: string | null = null; !signal.aborted; ) {
    const page: (Scored & { readonly _id: string })[] = await deps.queries.versions(after, PAGE_SIZE);
    if (page.length === 0) return;
    for (let i = 0; i < page.length && !signal.aborted; i += concurrency) {
      const some = page.slice(i, i + concurrency);
      const outcomes = await Promise.all(some.map(event => attempt(event, { ...deps, profileOf: profiles })));
      const failures = outcomes.flatMap(outcome => ('failure' in outcome ? outcome : []));
      const passing = failures.find(({ failure }) => isPassing(failure));
      if (passing) throw passing.failure;
      for (const { eventId, failure } of failures) tell(eventId, failure);
      failed += failures.length;
      const written = outcomes.flatMap(outcome => ('position' in outcome ? (outcome.position ?? []) : []));
      seen += some.length;
      rescored += written.length;
      position = written.reduce<number | null>((last, p) => Math.max(last ?? p, p), position);
      yield { seen, rescored, failed, position };
    }
    after = page.at(-1)!._id;
  }
}

type RescoreDeps = Omit<Rescoring, 'concurrency' | 'signal' | 'failed'>;

type Outcome = { readonly position: number | null } | { readonly eventId: string; readonly failure: unknown };

/** Never rejects, so that nothing is under way when others have failed. */
const attempt = (event: Scored, deps: RescoreDeps): Promise<Outcome> =>
  rescore(event, deps).then(
    position => ({ position }),
    (failure: unknown) => ({ eventId: event.event_id, failure }),
  );

/** Position of the fact; null when nothing was to do. */
async function rescore(
  { workspace, event_id: eventId, status, score_version: present }: Scored,
  deps: RescoreDeps,
): Promise<number | null> {
  const { queries, scorer, profileOf, handle, load, contextOf } = deps;
  const profile = await profileOf(workspace);
  if (status !== 'scored' || !rescorable({ version: present }, versionWith(profile, scorer.version)))
    return null;
  const state = await load(events, eventJournalId(workspace, eventId));
  if (state.status !== 'scored') return null;
  const {
    details: { value = null, dataType = 'text' },
    text,
    asked,
  } = state;
  const { version, reasons, scores } = await scorer.score({ text, value, dataType, profile });
  // Found in the read models, it has there with it all that was recorded before
  const anew = withNovelty(scores, await queries.novelty(workspace, eventId));
  const data = { workspace, eventId, asked, scores: anew, reasons, version: versionWith(profile, version) };
  const { facts, position } = await handle(events, { type: 'RescoreEvent', data }, contextOf(workspace));
  return facts.length > 0 ? position : null;
}

/** A workspace's words stay as they are while its events are scored. */
function remembered(profileOf: Rescoring['profileOf']): Rescoring['profileOf'] {
  const known = new Map<string, Promise<Profile>>();
  return workspace => {
    const profile = known.get(workspace) ?? profileOf(workspace);
    known.set(workspace, profile);
    return profile;
  };
}
