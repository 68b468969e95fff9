import { factsThen } from '../commands/engine/then.js';
import { journalOf } from '../domain/decider.js';
import { eventJournalId, events } from '../domain/events/decider.js';
import type { EventFact } from '../domain/events/facts.js';
import { streams } from '../domain/events/streams.js';
import { START, type Fact } from '../domain/fact.js';
import { eventEffects } from '../domain/shocks/effects.js';
import type { EventTookEffect } from '../domain/shocks/effects.js';
import { eventAfter, revisionBefore } from '../projections/events/changes.js';
import type { EventDoc, RevisionDoc } from '../projections/events/documents.js';
import type { StreamThen } from '../projections/events/version-queries.js';
import type { Kernel } from './kernel.js';

/** An event as it was, what it had been before its revisions, and its stream. */
export type EventThen = {
  readonly event: EventDoc;
  readonly revisions: readonly RevisionDoc[];
  readonly stream: StreamThen;
};

/** Events and their streams from their journals, at a moment, epoch ms. */
export function eventHistories({ stores }: Pick<Kernel, 'stores'>) {
  const facts = factsThen(stores.events);

  async function streamThen(workspace: string, key: string, asOf: number): Promise<StreamThen> {
    const then = await facts(journalOf(streams, `${workspace}.${key}`), asOf);
    const end = then.findLast(({ type }) => type === 'StreamDeleted');
    return { workspace, key, asOf, life: end?.position ?? START };
  }

  /** Null: it was not there. */
  async function eventThen(workspace: string, eventId: string, asOf: number): Promise<EventThen | null> {
    const journal = journalOf(events, eventJournalId(workspace, eventId));
    const all = (await facts(journal, asOf)) as readonly Fact<EventFact>[];
    if (all.length === 0) return null;
    const stream = await streamThen(workspace, all[0]!.data.key, asOf);
    let event: EventDoc | null = null;
    let revisions: RevisionDoc[] = [];
    for (const fact of all) {
      if (fact.position <= stream.life) continue;
      if (fact.type === 'EventRecorded') revisions = [];
      if (fact.type === 'EventRevised' && event) revisions.push(revisionBefore(event, fact));
      event = eventAfter(event, fact);
    }
    return event && { event, revisions, stream };
  }

  /** What an event had done to goals. */
  async function effectsThen(workspace: string, eventId: string, asOf: number) {
    const then = await facts(journalOf(eventEffects, `${workspace}.${eventId}`), asOf);
    return (then as readonly Fact<EventTookEffect>[]).map(({ data }) => data);
  }

  return { streamThen, eventThen, effectsThen };
}
