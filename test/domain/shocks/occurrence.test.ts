import * as assert from 'uvu/assert';
import { fold } from '../../../domain/decider.js';
import type { EventFact, EventRecorded } from '../../../domain/events/facts.js';
import { neutralScores } from '../../../domain/events/numeric.js';
import type { Fact } from '../../../domain/fact.js';
import { happenedBy, isFreshFor, occurrences } from '../../../domain/shocks/occurrence.js';
import { HOUR } from '../../../domain/time.js';
import { stored } from '../../spec.js';
import { suite } from '../../suite.js';

const T = 1_800_000_000_000;
type Past = EventFact & { readonly at: number };
const recorded = (at: number, occurredAt: number, shape: EventRecorded['data']['shape']): Past => ({
  ...{ type: 'EventRecorded', at, data: { eventId: 'e', key: 'news', text: 'x', occurredAt, shape } },
});
const scored = (at: number): Past => ({
  ...{ type: 'EventScored', at },
  data: { eventId: 'e', key: 'news', scores: neutralScores(), reasons: [], version: '1' },
});
const due = (at: number, occurredAt: number): Past => ({
  ...{ type: 'EventCameDue', at, data: { eventId: 'e', key: 'news', occurredAt } },
});
const again = (at: number): Past => ({ type: 'EventResubmitted', at, data: { eventId: 'e', key: 'news' } });
const moved = (at: number, occurredAt: number): Past => ({
  ...{ type: 'EventRevised', at },
  data: { eventId: 'e', key: 'news', revision: 2, changes: { occurredAt }, rescored: false },
});
const gone = (at: number): Past => ({ type: 'EventWithdrawn', at, data: { eventId: 'e', key: 'news' } });

/** Which of the facts say that something happened: each seen as soon as it is written, or all at the end. */
function happened(past: readonly Past[], late = false): (string | null)[] {
  const facts = stored(...past) as Fact<EventFact>[];
  return facts.map((fact, i) => {
    const known = fold(occurrences, occurrences.initialState, late ? facts : facts.slice(0, i + 1));
    const found = happenedBy(fact, known);
    return found && (found.scheduled ? 'scheduled' : 'fresh');
  });
}

suite('what happens by facts of events', test => {
  test('an event that is scored, at its first scores, once', () => {
    const past = [recorded(T, T, 'fresh'), scored(T + 1), again(T + 9), scored(T + 10), scored(T + 99)];
    assert.equal(happened(past), [null, 'fresh', null, null, null]);
    assert.equal(happened(past, true), [null, 'fresh', null, null, null]);
  });

  test('one that lies in the future when its time comes, and not before', () => {
    const at = T + HOUR;
    assert.equal(happened([recorded(T, at, 'scheduled'), scored(T + 1), due(at, at), scored(at + 9)]), [
      ...[null, null, 'scheduled', null],
    ]);
    // Scored too late for that: as soon as it is
    assert.equal(happened([recorded(T, at, 'scheduled'), due(at, at), scored(at + 1)]), [
      ...[null, null, 'scheduled'],
    ]);
  });

  test('one that is moved into the future, or goes, is none any more', () => {
    assert.equal(happened([recorded(T, T, 'fresh'), scored(T + 1), moved(T + 2, T + HOUR)], true), [
      ...[null, null, null],
    ]);
    assert.equal(happened([recorded(T, T, 'fresh'), scored(T + 1), gone(T + 2)], true), [null, null, null]);
  });

  test('fresh for a goal is what was recorded within two of its cadences', () => {
    const fresh = (recordedAt: number) => isFreshFor({ cadenceS: 3_600 }, { occurredAt: T, recordedAt });
    assert.ok(fresh(T));
    assert.ok(fresh(T + 2 * HOUR));
    assert.not.ok(fresh(T + 2 * HOUR + 1));
    assert.not.ok(fresh(T - 1));
  });
});
