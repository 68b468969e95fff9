import type { Context } from '../commands/engine/handle.js';
import { eventJournalId, events } from '../domain/events/decider.js';
import type { EventFact } from '../domain/events/facts.js';
import type { Fact } from '../domain/fact.js';
import { neutralScores } from '../domain/events/numeric.js';
import { isBlank, type Profile, type Scorer, type Scores } from '../domain/events/scoring.js';
import type { EventQueries } from '../projections/events/queries.js';
import type { Log } from '../commands/ports/log.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { ReactorDeps, Reactor } from './engine/reactor.js';

type Scoring = {
  readonly scorer: Scorer;
  readonly profileOf: (workspace: string) => Promise<Profile>;
  readonly log: Log;
  readonly queries: Pick<EventQueries, 'novelty'>;
  /** Resolves true when the read models of events hold the fact at a position, false when that takes long. */
  readonly caughtUp: (position: number) => Promise<boolean>;
  readonly concurrency: number;
  /**
   * Pauses between attempts, ms; when all are spent the event gets neutral scores, so that none waits for
   * ever.
   */
  readonly pauses?: readonly number[];
};

/** Version suffix of scores given because the scorer failed. */
export const FALLBACK = '+fallback';
const PAUSES = [100, 400, 1_600, 6_400];

/**
 * Scores every event that waits for it: recorded, submitted again or revised. Read models that stay behind
 * make it fail, and so try again: what they lack would make an event look newer than it is.
 */
export function scoring({
  scorer,
  profileOf,
  queries,
  caughtUp,
  log,
  concurrency,
  pauses = PAUSES,
}: Scoring): Reactor {
  const score = async (
    fact: Fact<EventFact>,
    context: Context,
    { handle, load }: ReactorDeps,
  ): Promise<void> => {
    if (!('eventId' in fact.data)) return;
    const workspace = fact.meta.workspace!;
    const { eventId } = fact.data;
    const command = {
      type: 'ScoreEvent',
      data: { workspace, eventId, asked: fact.revision, ...unknown },
    } as const;
    const state = await load(events, eventJournalId(workspace, eventId));
    if (state.status !== 'pending' || state.asked !== fact.revision) return;
    if (!(await caughtUp(fact.position)))
      throw new ReadModelsBehind(`the read models of events do not hold ${fact.position} yet`);
    const novelty = await queries.novelty(workspace, eventId);
    const profile = await profileOf(workspace);
    const {
      details: { value = null, dataType = 'text' },
      text,
    } = state;
    const { version, reasons, scores } = await attempt({ text, value, dataType, profile }, eventId);
    const scored = { scores: withNovelty(scores, novelty), reasons, version: versionWith(profile, version) };
    await handle(events, { ...command, data: { ...command.data, ...scored } }, context);
  };

  const attempt = async (input: Parameters<Scorer['score']>[0], eventId: string) => {
    for (let failures = 0; ; failures++) {
      try {
        return await scorer.score(input);
      } catch (err) {
        log.warn({ err, eventId, failures: failures + 1 }, 'an event could not be scored');
        if (failures === pauses.length) return { ...unknown, version: `${scorer.version}${FALLBACK}` };
        await new Promise(resolve => setTimeout(resolve, pauses[failures]));
      }
    }
  };
  const underWay = new Map<string, Promise<void>>();
  /** Whoever asks for the same score meanwhile waits for this one. */
  const once: typeof score = (fact, context, deps) => {
    const known = underWay.get(fact.id);
    if (known) return known;
    const begun = score(fact, context, deps).finally(() => underWay.delete(fact.id));
    underWay.set(fact.id, begun);
    return begun;
  };
  return {
    name: 'scoring',
    concurrency,
    on: { EventRecorded: once, EventResubmitted: once, EventRevised: once },
  };
}

/** The score depends on the model and on the workspace's profile: its version names both. */
export const versionWith = (profile: Profile, version: string): string =>
  isBlank(profile) ? version : version.replace(/(?=\+|$)/, `.${profile.version}`);

/** Null: the event has gone meanwhile, and with it the use for any score. */
export const withNovelty = (scores: Scores, novelty: number | null): Scores =>
  novelty === null ? scores : { ...scores, novelty };

const unknown = { scores: neutralScores(), reasons: [], version: '' } as const;
