import { events, FUTURE_LIMIT } from '../../domain/events/decider.js';
import type { EventCommand } from '../../domain/events/commands.js';
import type { EventFact, EventScored } from '../../domain/events/facts.js';
import { streams } from '../../domain/events/streams.js';
import { HOUR } from '../../domain/time.js';
import { given } from '../spec.js';
import { suite } from '../suite.js';
import {
  NOW,
  corrected,
  deleted,
  due,
  numeric,
  of,
  record,
  recorded,
  referred,
  revise,
  revised,
  score,
  scored,
  scores,
  withdrawn,
} from './events-given.js';

suite('recording an event', test => {
  test('a new one is recorded', () => given(events).when(record()).then(recorded()));
  test('details are kept as given', () =>
    given(events)
      .when(record({ details: { value: 3, raw: { a: [1] }, origin: 'manual' } }))
      .then(recorded({ value: 3, raw: { a: [1] }, origin: 'manual' })));
  test('two cadences late is still fresh', () =>
    given(events)
      .when(record({ occurredAt: NOW - 2 * HOUR }))
      .then(recorded({ occurredAt: NOW - 2 * HOUR })));
  test('later than that is stale', () =>
    given(events)
      .when(record({ occurredAt: NOW - 2 * HOUR - 1 }))
      .then(recorded({ occurredAt: NOW - 2 * HOUR - 1, shape: 'stale' })));
  test('in the future is scheduled', () =>
    given(events)
      .when(record({ occurredAt: NOW + 1 }))
      .then(recorded({ occurredAt: NOW + 1, shape: 'scheduled' })));
  test('400 days ahead is possible', () =>
    given(events)
      .when(record({ occurredAt: NOW + FUTURE_LIMIT }))
      .then(recorded({ occurredAt: NOW + FUTURE_LIMIT, shape: 'scheduled' })));
  test('further is not', () =>
    given(events)
      .when(record({ occurredAt: NOW + FUTURE_LIMIT + 1 }))
      .thenRejected(/^Scheduled events can be at most 400 days in the future$/));
  test('numeric content is scored at once', () =>
    given(events)
      .when(record({ text: '42.5', details: { value: 42.5 } }))
      .then(recorded({ text: '42.5', value: 42.5 }), numeric));
});

suite('revising an event', test => {
  test('another name keeps the score', () =>
    given(events, recorded(), scored)
      .when(revise({ name: 'Storm' }))
      .then(corrected({ name: 'Storm' }, false)));
  test('the same name changes nothing', () =>
    given(events, recorded({ name: 'Storm' }))
      .when(revise({ name: 'Storm' }))
      .thenNothing());
  test('finishingErasure what is not there changes nothing', () =>
    given(events, recorded())
      .when(revise({ value: null }))
      .thenNothing());
  test('another value asks for a score', () =>
    given(events, recorded(), scored)
      .when(revise({ value: 7 }))
      .then(corrected({ value: 7 }, true)));
  test('another time moves it', () =>
    given(events, recorded(), scored)
      .when(revise({ occurredAt: NOW + 9 }))
      .then(corrected({ occurredAt: NOW + 9 }, false)));
  test('beyond 400 days is refused', () =>
    given(events, recorded())
      .when(revise({ occurredAt: NOW + FUTURE_LIMIT + 1 }))
      .thenRejected(/400 days/));
  test('at the revision seen', () =>
    given(events, recorded(), revised({ name: 'a' }, false))
      .when(revise({ name: 'b' }, 2))
      .then(corrected({ name: 'b' }, false, 3)));
  test('at an older one is refused', () =>
    given(events, recorded(), revised({ name: 'a' }, false))
      .when(revise({ name: 'b' }, 1))
      .thenRejected(/version 2/));
  test('of none is refused', () =>
    given(events)
      .when(revise({ name: 'b' }))
      .thenRejected(/^Event not found$/));
  test('of a deleted stream is refused', () =>
    given(events, recorded(), deleted)
      .when(revise({ name: 'b' }))
      .thenRejected(/^Event not found$/));
  test('is referred to from where it moves to, once', () => {
    const refer: EventCommand = { type: 'ReferEvent', data: { ...of, key: 'news', to: 'evt_0' } };
    given(events).when(refer).then(referred('evt_0'));
    given(events, referred('evt_0')).when(refer).thenNothing();
    given(events, referred('evt_0'), recorded(), scored, withdrawn).when(refer).thenNothing();
  });
});

suite('scoring an event', test => {
  test('one that waits is scored', () => given(events, recorded()).when(score(0)).then(scored));
  test('one that is scored stays so', () => given(events, recorded(), scored).when(score(0)).thenNothing());
  test('a score asked for before a revision comes too late', () =>
    given(events, recorded(), revised({ value: 2 }, true))
      .when(score(0))
      .thenNothing());
  test('the revision is scored', () =>
    given(events, recorded(), revised({ value: 2 }, true))
      .when(score(1))
      .then(scored));
  test('a new name does not unasked the score', () =>
    given(events, recorded(), revised({ name: 'n' }, false))
      .when(score(0))
      .then(scored));
  test('one that is gone is not scored', () =>
    given(events, recorded(), withdrawn).when(score(0)).thenNothing());
  test('nor one whose stream is gone', () => given(events, recorded(), deleted).when(score(0)).thenNothing());
});

suite('scoring an event anew', test => {
  const rescore = (asked: number, version = 'v2'): EventCommand => ({
    type: 'RescoreEvent',
    data: { ...of, asked, scores, reasons: [], version },
  });
  const anew: EventScored = { type: 'EventScored', data: { ...scored.data, version: 'v2' } };
  test('scores of another version are replaced', () =>
    given(events, recorded(), scored).when(rescore(0)).then(anew));
  test('once', () => given(events, recorded(), scored, anew).when(rescore(0)).thenNothing());
  test('and back again, if need be', () =>
    given(events, recorded(), scored, anew).when(rescore(0, 'v1')).then(scored));
  test('one that waits for its first score is left alone', () =>
    given(events, recorded()).when(rescore(0)).thenNothing());
  test('so is one that was revised after it was read', () =>
    given(events, recorded(), scored, revised({ value: 2 }, true), scored)
      .when(rescore(0))
      .thenNothing());
  test('numeric content was seen by no model', () =>
    given(events, recorded({ dataType: 'number' }), numeric)
      .when(rescore(0))
      .thenNothing());
  test('one that is gone is not scored', () =>
    given(events, recorded(), scored, withdrawn).when(rescore(0)).thenNothing());
});

suite('an event coming due', test => {
  const scheduled = recorded({ occurredAt: NOW + HOUR, shape: 'scheduled' });
  const cameDue: EventFact = {
    type: 'EventCameDue',
    data: { eventId: 'evt_1', key: 'news', occurredAt: NOW + HOUR },
  };
  test('not before its time', () =>
    given(events, scheduled)
      .when(due(NOW + HOUR - 1))
      .thenNothing());
  test('at its time', () =>
    given(events, scheduled)
      .when(due(NOW + HOUR))
      .then(cameDue));
  test('once', () =>
    given(events, scheduled, cameDue)
      .when(due(NOW + 2 * HOUR))
      .thenNothing());
  test('not one that was never scheduled', () =>
    given(events, recorded())
      .when(due(NOW + HOUR))
      .thenNothing());
  test('not one that was moved into the past', () =>
    given(events, scheduled, { ...revised({ occurredAt: NOW - 1 }, false), at: NOW })
      .when(due(NOW + HOUR))
      .thenNothing());
  test('one that was moved into the future', () =>
    given(events, recorded(), { ...revised({ occurredAt: NOW + HOUR }, false), at: NOW })
      .when(due(NOW + HOUR))
      .then(cameDue));
  test('not one that was withdrawn', () =>
    given(events, scheduled, withdrawn)
      .when(due(NOW + HOUR))
      .thenNothing());
});

suite('withdrawing and deleting', test => {
  const withdraw: EventCommand = { type: 'WithdrawEvent', data: { ...of, seen: null } };
  test('an event is withdrawn', () => given(events, recorded()).when(withdraw).then(withdrawn));
  test('once', () =>
    given(events, recorded(), withdrawn)
      .when(withdraw)
      .thenRejected(/^Event not found$/));
  test('a stream is deleted', () =>
    given(streams)
      .when({ type: 'DeleteStream', data: { workspace: 'w', key: 'news' } })
      .then(deleted));
  test('each life of it', () =>
    given(streams, deleted)
      .when({ type: 'DeleteStream', data: { workspace: 'w', key: 'news' } })
      .then(deleted));
  test('not a subscribed one', () =>
    given(streams)
      .when({ type: 'DeleteStream', data: { workspace: 'w', key: 'mkt-evt:x' } })
      .thenRejected(/read-only/));
});
