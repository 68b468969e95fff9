import { factsThen } from '../commands/engine/then.js';
import { readInTurns } from '../commands/engine/turns.js';
import { journalOf } from '../domain/decider.js';
import { eventJournalId, events } from '../domain/events/decider.js';
import type { EventFact } from '../domain/events/facts.js';
import { streams } from '../domain/events/streams.js';
import { START, type Fact } from '../domain/fact.js';
import { eventEffects } from '../domain/shocks/effects.js';
import type { EventTookEffect } from '../domain/shocks/effects.js';
import { tooManyEvents, type FromJournals, type ListedEvent } from '../projections/events/candidates.js';
import { eventAfter, revisionBefore } from '../projections/events/changes.js';
import type { EventDoc, RevisionDoc } from '../projections/events/documents.js';
import { listedNow } from '../projections/events/then-queries.js';
import type { Kernel } from './kernel.js';

/** An event as it was, and what it had been before its revisions. */
export type EventThen = { readonly event: EventDoc; readonly revisions: readonly RevisionDoc[] };

/** Journals of events that are read for one answer. */
const MOST = 2_000;

/** Events and their streams from their journals, at a moment, epoch ms. */
export function eventHistories({ stores }: Pick<Kernel, 'stores'>) {
  const facts = factsThen(stores.events);

  const deletions = async (workspace: string, key: string, until: number): Promise<readonly Fact[]> =>
    (await facts(journalOf(streams, `${workspace}.${key}`), until)).filter(
      ({ type }) => type === 'StreamDeleted',
    );

  const deletedSince = async (workspace: string, key: string, asOf: number): Promise<boolean> =>
    (await deletions(workspace, key, Infinity)).some(({ at }) => at > asOf);

  const factsOf = async (workspace: string, eventId: string, asOf: number) =>
    (await facts(journalOf(events, eventJournalId(workspace, eventId)), asOf)) as readonly Fact<EventFact>[];

  /** Null: it was not there. */
  async function eventThen(workspace: string, eventId: string, asOf: number): Promise<EventThen | null> {
    const all = await factsOf(workspace, eventId, asOf);
    if (all.length === 0) return null;
    const ends = await deletions(workspace, all[0]!.data.key, asOf);
    const life = ends.at(-1)?.position ?? START;
    let event: EventDoc | null = null;
    let revisions: RevisionDoc[] = [];
    for (const fact of all) {
      if (fact.position <= life) continue;
      if (fact.type === 'EventRecorded') revisions = [];
      if (fact.type === 'EventRevised' && event) revisions.push(revisionBefore(event, fact));
      event = eventAfter(event, fact);
    }
    return event && { event, revisions };
  }

  /**
   * For the lists of one answer, which ask of events of streams that were not deleted since: each journal is
   * read once. @throws Rejected 422 when there are too many
   */
  function fromJournals(asOf: number): FromJournals {
    const known = new Map<string, ListedEvent | null>();
    return async some => {
      const others = some.filter(({ event }) => !known.has(event.event_id));
      if (known.size + others.length > MOST) throw tooManyEvents(MOST);
      await readInTurns(some[0]?.workspace ?? '', others, async ({ workspace, event: { event_id: id } }) => {
        const was = (await factsOf(workspace, id, asOf)).reduce(eventAfter, null);
        known.set(id, was && listedNow(was));
      });
      return new Map(
        some.flatMap(({ event: { event_id: id } }) => {
          const was = known.get(id);
          return was ? [[id, was] as const] : [];
        }),
      );
    };
  }

  /** What an event had done to goals. */
  async function effectsThen(workspace: string, eventId: string, asOf: number) {
    const then = await facts(journalOf(eventEffects, `${workspace}.${eventId}`), asOf);
    return (then as readonly Fact<EventTookEffect>[]).map(({ data }) => data);
  }

  return { deletedSince, eventThen, fromJournals, effectsThen };
}
