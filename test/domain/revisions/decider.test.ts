import * as assert from 'uvu/assert';
import { MOST_CAUSES, MOST_TOLD } from '../../../domain/revisions/decider.js';
import type { HistoryRevised, RevisionFact } from '../../../domain/revisions/facts.js';
import { knownBefore, lastCauseOf, spanOf } from '../../../domain/revisions/state.js';
import { suite } from '../../suite.js';
import { apply, begin, cause, fail, goal, History, MERGE_MS, note, rebuilt, revised } from './given.js';

const types = (facts: readonly RevisionFact[]): string[] => facts.map(({ type }) => type);

function rechecking(...goals: readonly string[]): History {
  const history = new History();
  history.does(
    note(
      0,
      [cause(1)],
      goals.map(id => goal(id)),
    ),
  );
  history.does(begin(MERGE_MS));
  history.does(rebuilt);
  return history;
}

suite('a revision', test => {
  test('takes causes for a time from the first, each once', () => {
    const history = new History();
    assert.equal(types(history.does(note(0, [cause(1)]))), ['RevisionQueued', 'GoalHistoryChanged']);
    assert.equal(history.does(note(10, [cause(1)])), []);
    // Nothing of the goal is other by a second cause of the same
    assert.equal(types(history.does(note(MERGE_MS - 1, [cause(1), cause(2)]))), ['RevisionCausesAdded']);
    assert.equal(
      history.known.causes.map(({ position }) => position),
      [1, 2],
    );
    assert.equal(history.does(note(MERGE_MS, [cause(3)])), []);
    assert.is(history.known.causes.length, 2);
  });

  test('knows what changed of each goal, by all causes together', () => {
    const history = new History();
    history.does(note(0, [cause(4, { from: 500, to: 900 })], [goal('goa_1'), goal('goa_2')]));
    const later = cause(5, { kind: 'points_recorded', key: 'orders', eventId: null, from: 100, to: 2_000 });
    const more = goal('goa_1', { from: 100, to: 2_000, signals: ['orders'], streams: [] });
    assert.equal(types(history.does(note(1, [later], [more]))), [
      'RevisionCausesAdded',
      'GoalHistoryChanged',
    ]);
    assert.equal(history.known.goals, [
      { goalId: 'goa_1', from: 100, to: 2_000, signals: ['orders'], streams: ['news'] },
      goal('goa_2'),
    ]);
    assert.equal(spanOf(history.known), { from: 100, to: 2_000 });
    assert.is(lastCauseOf(history.known), 5);
    assert.is(knownBefore(history.known), 500_003);
  });

  test('begins once it takes no more: its time is over, or it is full', () => {
    const history = new History();
    history.does(note(0, [cause(1)]));
    assert.equal(history.does(begin(MERGE_MS - 1)), []);
    assert.equal(types(history.does(begin(MERGE_MS))), ['RevisionBegan']);
    assert.equal(history.does(begin(MERGE_MS)), []);
    assert.equal(history.does(note(1, [cause(2)])), []);
    const full = new History();
    const many = Array.from({ length: MOST_CAUSES + 5 }, (_, i) => cause(i));
    full.does(note(0, many));
    assert.is(full.known.causes.length, MOST_CAUSES);
    assert.equal(full.does(note(1, many.slice(-1))), []);
    assert.equal(types(full.does(begin(1))), ['RevisionBegan']);
  });

  test('goes from tables to goals to its end, each step once', () => {
    const history = rechecking('goa_1', 'goa_2');
    assert.is(history.known.status, 'rechecking');
    assert.equal(history.does(rebuilt), []);
    assert.equal(types(history.does(revised('goa_1'))), ['GoalRevised']);
    assert.equal(history.does(revised('goa_1', { rowsChanged: 9 })), []);
    assert.equal(history.does(revised('goa_elsewhere')), []);
    // A goal that went meanwhile is not waited for
    const [applied] = history.does(apply) as [HistoryRevised];
    assert.is(history.known.status, 'applied');
    assert.equal([applied.data.affected, applied.data.causes], [1, 1]);
    assert.equal(applied.data.cause, cause(1));
    assert.equal(applied.data.goals, [
      { goalId: 'goa_1', rowsChanged: 3, scoreBefore: 1, scoreAfter: 1.2, edgeChanges: [] },
    ]);
    for (const late of [apply, fail, rebuilt, revised('goa_2')]) assert.equal(history.does(late), []);
  });

  test('tells of so many goals, and how many there are', () => {
    const ids = Array.from({ length: MOST_TOLD + 3 }, (_, i) => `goa_${i}`);
    const history = rechecking(...ids);
    for (const id of ids) history.does(revised(id));
    const [applied] = history.does(apply) as [HistoryRevised];
    assert.equal([applied.data.goals.length, applied.data.affected], [MOST_TOLD, MOST_TOLD + 3]);
  });

  test('fails while it is made, and what was before stays', () => {
    const queued = new History();
    queued.does(note(0, [cause(1)]));
    assert.equal(queued.does(fail), []);
    const history = rechecking('goa_1');
    assert.equal(types(history.does(fail)), ['RevisionFailed']);
    assert.equal([history.known.status, history.known.error?.code], ['failed', 'segment_failed']);
    for (const late of [apply, begin(MERGE_MS), revised('goa_1')]) assert.equal(history.does(late), []);
    assert.throws(() => new History().does(apply), /There is no revision rev_1/);
  });
});
