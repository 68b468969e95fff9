import type { EventFact } from '../../domain/events/facts.js';
import { START, type Fact } from '../../domain/fact.js';
import type { SignalFact } from '../../domain/signals/facts.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { NaiveSignals } from '../projections/naive-signals.js';

/** The kinds of facts about signals that matter most, and all those about events. */
export const signalFacts: readonly SignalFact['type'][] = [
  'PointsRecorded',
  'PointsRevised',
  'SignalDeleted',
];
export const eventFacts: readonly EventFact['type'][] = [
  'EventRecorded',
  'EventRevised',
  'EventResubmitted',
  'EventScored',
  'EventCameDue',
  'EventWithdrawn',
  'StreamDeleted',
];

/** `signals`: what the facts say of them, by workspace. */
export type Audit = {
  readonly faults: string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly signals: ReadonlyMap<string, NaiveSignals>;
};
type Life = { readonly key: string; readonly scheduled: boolean; scored: boolean; fired: boolean };

export async function* pagesOf(store: EventStore): AsyncGenerator<Fact> {
  for (let at = START; ; ) {
    const page = await store.page(at, 1_000);
    if (page.length === 0) return;
    yield* page;
    at = page.at(-1)!.position;
  }
}

/**
 * Reads a whole log with the eyes of somebody who trusts nobody: no fact twice, no gap in a journal, no event
 * recorded twice in one life, one score for each time one was asked for, one coming due for each scheduled
 * event; at the end nothing waits. No point is recorded twice, and every revision tells the truth about what
 * it replaces.
 */
export async function audit(store: EventStore): Promise<Audit> {
  const faults: string[] = [];
  const counts: Record<string, number> = {};
  const ids = new Set<string>();
  const revisions = new Map<string, number>();
  const lives = new Map<string, Life>();
  const signals = new Map<string, NaiveSignals>();
  for await (const fact of pagesOf(store)) {
    const { id, journal, revision, type } = fact;
    counts[type] = (counts[type] ?? 0) + 1;
    if (ids.has(id)) faults.push(`the fact ${id} is there twice`);
    const before = revisions.get(journal) ?? START;
    if (revision !== before + 1) faults.push(`${journal} goes from ${before} to ${revision}`);
    ids.add(id);
    revisions.set(journal, revision);
    const fault = lived(lives, fact as Fact<EventFact>) ?? told(signals, fact);
    if (fault) faults.push(`${journal}, revision ${revision}: ${fault}`);
  }
  for (const [id, { scored, scheduled, fired }] of lives) {
    if (!scored) faults.push(`${id} has no score`);
    if (scheduled && !fired) faults.push(`${id} never came due`);
  }
  return { faults, counts, signals };
}

function lived(lives: Map<string, Life>, { type, data }: Fact<EventFact>): string | null {
  if (type === 'StreamDeleted') {
    for (const [id, { key }] of lives) if (key === data.key) lives.delete(id);
    return null;
  }
  if (!('eventId' in data)) return null;
  const { eventId } = data;
  const life = lives.get(eventId);
  if (type === 'EventRecorded') {
    lives.set(eventId, { key: data.key, scheduled: data.shape === 'scheduled', scored: false, fired: false });
    return life ? 'recorded twice' : null;
  }
  // What was decided while the stream went away: it changes nothing
  if (!life) return null;
  if (type === 'EventWithdrawn') lives.delete(eventId);
  if (type === 'EventResubmitted' || (type === 'EventRevised' && data.rescored)) life.scored = false;
  if (type === 'EventScored') return once(life, 'scored');
  if (type !== 'EventCameDue') return null;
  return life.scheduled ? once(life, 'fired') : 'came due without being scheduled';
}

function told(signals: Map<string, NaiveSignals>, fact: Fact): string | null {
  if (!fact.journal.startsWith('signal-')) return null;
  const workspace = fact.meta.workspace!;
  const mine = signals.get(workspace) ?? new NaiveSignals();
  signals.set(workspace, mine);
  try {
    mine.take(fact as Fact<SignalFact>);
    return null;
  } catch (error) {
    return String(error);
  }
}

function once(life: Life, what: 'scored' | 'fired'): string | null {
  if (life[what]) return `${what} twice`;
  life[what] = true;
  return null;
}
