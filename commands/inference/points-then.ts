import { journalOf } from '../../domain/decider.js';
import { START, type Fact } from '../../domain/fact.js';
import type { HistoryRead } from '../../domain/inference/facts.js';
import { signals } from '../../domain/signals/decider.js';
import type { PointsRecorded, PointsRevised, SignalFact } from '../../domain/signals/facts.js';
import { unpacked, type Columns } from '../../domain/signals/points.js';
import { fairTurn } from '../../fair-turns.js';
import type { EventStore } from '../ports/event-store.js';
import { placeOf } from './actuals.js';
import { hashOf } from './histories.js';

const PAGE = 256;
/** Facts behind the revision that is told of which may have been in the points that were read. */
const MOST_BEHIND = 1_000;

/**
 * The points of a signal that were read, from its journal: those of its life at the revision, recorded by
 * `asOf`, up to a time (included). Read models may have been a little ahead of the revision they told of:
 * then a few facts more, until the points are those that the hash tells of.
 */
export async function pointsThen(
  store: Pick<EventStore, 'read'>,
  workspace: string,
  read: HistoryRead,
  until = Infinity,
): Promise<Columns> {
  const place = placeOf(workspace, read);
  const journal = journalOf(signals, `${place.workspace}.${place.key}`);
  const known = new Map<number, number>();
  let then: Columns | null = null;
  for (let after = START; ; ) {
    await fairTurn(workspace);
    const page = (await store.read(journal, after, PAGE)) as Fact<SignalFact>[];
    for (const fact of page) {
      take(fact, read, known);
      if (fact.revision < read.revision) continue;
      const columns = inOrder(known, until);
      if (hashOf(columns) === read.hash) return columns;
      then ??= columns;
      if (fact.revision > read.revision + MOST_BEHIND) return then;
    }
    if (page.length < PAGE) return then ?? inOrder(known, until);
    after = page.at(-1)!.revision;
  }
}

function take(fact: Fact<SignalFact>, { asOf, from }: HistoryRead, known: Map<number, number>): void {
  if (fact.type === 'SignalDeleted') known.clear();
  if (!isWriting(fact) || (asOf !== null && fact.at > asOf)) return;
  const { times, values } = unpacked(fact.data.points);
  times.forEach((time, i) => time >= from && known.set(time, values[i]!));
}

function inOrder(known: ReadonlyMap<number, number>, until: number): Columns {
  const times = [...known.keys()].filter(time => time <= until).sort((a, b) => a - b);
  return { times, values: times.map(time => known.get(time)!) };
}

const isWriting = (fact: Fact<SignalFact>): fact is Fact<PointsRecorded | PointsRevised> =>
  fact.type === 'PointsRecorded' || fact.type === 'PointsRevised';
