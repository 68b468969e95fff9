import * as assert from 'uvu/assert';
import { missingIn, MOST_CAUSES, MOST_EDGES_TOLD, MOST_TOLD } from '../../../domain/revisions/decider.js';
import type { EdgeChange, HistoryRevised, RevisionFact } from '../../../domain/revisions/facts.js';
import { knownBefore, lastCauseOf, spanOf } from '../../../domain/revisions/state.js';
import { suite } from '../../suite.js';
import { apply, begin, cause, fail, goal, History, MERGE_MS, note, of, rebuilt, revised } from './given.js';

const types = (facts: readonly RevisionFact[]): string[] => facts.map(({ type }) => type);

function rechecking(...goals: readonly string[]): History {
  const history = new History();
  history.does(
    note(
      [cause(0)],
      goals.map(id => goal(id)),
    ),
  );
  history.does(begin(MERGE_MS));
  history.does(rebuilt);
  return history;
}

suite('a revision', test => {
  test('takes what is recorded within a time of its first cause, each once', () => {
    const history = new History();
    assert.equal(types(history.does(note([cause(5), cause(3)]))), ['RevisionQueued', 'GoalHistoryChanged']);
    assert.is(history.known.closesAt, 3 + MERGE_MS);
    assert.equal(history.does(note([cause(3)])), []);
    // Nothing of the goal is other by a further cause of the same
    assert.equal(types(history.does(note([cause(3), cause(2 + MERGE_MS), cause(3 + MERGE_MS)]))), [
      'RevisionCausesAdded',
    ]);
    assert.equal(
      history.known.causes.map(({ position }) => position),
      [3, 5, 2 + MERGE_MS],
    );
    assert.equal(history.does(note([cause(3 + MERGE_MS)])), []);
    assert.equal(history.does(note([])), []);
  });

  test('is of the goals of its own causes alone, by all of them together', () => {
    const history = new History();
    history.does(note([cause(4, { from: 500, to: 900 })], [goal('goa_1'), goal('goa_2')]));
    const later = cause(5, { kind: 'points_recorded', key: 'orders', eventId: null, from: 100, to: 2_000 });
    const more = goal('goa_1', { from: 100, to: 2_000, signals: ['orders'], streams: [] });
    assert.equal(types(history.does(note([later], [more]))), ['RevisionCausesAdded', 'GoalHistoryChanged']);
    assert.equal(history.does(note([cause(4 + MERGE_MS)], [goal('goa_3')])), []);
    assert.equal(history.known.goals, [
      { goalId: 'goa_1', from: 100, to: 2_000, signals: ['orders'], streams: ['news'] },
      goal('goa_2'),
    ]);
    assert.equal(spanOf(history.known), { from: 100, to: 2_000 });
    assert.is(lastCauseOf(history.known), 5);
    assert.is(knownBefore(history.known), 3);
  });

  test('begins once its time is over, and takes nothing from then on', () => {
    const history = new History();
    history.does(note([cause(0)]));
    assert.equal(history.does(begin(MERGE_MS - 1)), []);
    assert.equal(types(history.does(begin(MERGE_MS))), ['RevisionBegan']);
    assert.equal(history.does(begin(MERGE_MS)), []);
    assert.equal(history.does(note([cause(1)])), []);
  });

  test('takes so many causes, and leaves the rest to others', () => {
    const full = new History();
    const many = Array.from({ length: MOST_CAUSES + 5 }, (_, i) => cause(i));
    full.does(note(many));
    assert.is(full.known.causes.length, MOST_CAUSES);
    assert.equal(full.does(note(many)), []);
    const found = many.map(each => ({ cause: each, goals: [] }));
    assert.equal(
      missingIn(full.known, found).map(each => each.cause.position),
      [0, 1, 2, 3, 4].map(nth => MOST_CAUSES + nth),
    );
  });

  test('has at least one cause, also where it takes no time', () => {
    const at = [7, 8].map(position => ({ cause: cause(position), goals: [goal('goa_1')] }));
    const data = { ...of, number: 0, found: at, mergeMs: 0 };
    const history = new History();
    history.does({ type: 'NoteCauses', data });
    assert.equal(
      history.known.causes.map(({ position }) => position),
      [7],
    );
  });

  test('measures edges of a goal again once', () => {
    const history = rechecking('goa_1');
    const noting = (goalId: string, checkId: string) =>
      ({ type: 'NoteRechecked', data: { ...of, goalId, checkId, edges: [] } }) as const;
    assert.equal(types(history.does(noting('goa_1', 'dis_1'))), ['GoalEdgesRechecked']);
    assert.equal(history.does(noting('goa_1', 'dis_2')), []);
    assert.equal(history.does(noting('goa_2', 'dis_3')), []);
    assert.equal(
      history.known.rechecked.map(({ checkId }) => checkId),
      ['dis_1'],
    );
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
    assert.equal(applied.data.cause, cause(0));
    assert.equal(applied.data.goals, [
      {
        ...{ goalId: 'goa_1', from: 1_000, to: 1_000, rowsChanged: 3, scoreBefore: 1, scoreAfter: 1.2 },
        ...{ rescored: null, notScored: null, edgeChanges: [], tournamentId: null },
      },
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

  test('tells of the first edges that are other now, and keeps all of a goal with it', () => {
    const change = (nth: number, over: object) => ({
      ...{ edgeId: `edg_${nth}`, sourceKey: `stream ${nth}`, statusBefore: 'validated' },
      ...{ statusAfter: 'validated', liftBefore: 0.1, liftAfter: 0.1 },
      ...over,
    });
    const moved = Array.from({ length: MOST_EDGES_TOLD }, (_, i) => change(i, { liftAfter: 0.2 }));
    const edgeChanges = [change(90, {}), ...moved, change(91, { statusAfter: 'retired' })] as EdgeChange[];
    const history = rechecking('goa_1');
    history.does(revised('goa_1', { edgeChanges }));
    assert.is(history.known.revised[0]!.edgeChanges.length, MOST_EDGES_TOLD + 2);
    const [applied] = history.does(apply) as [HistoryRevised];
    const told = applied.data.goals[0]!.edgeChanges.map(({ edgeId }) => edgeId);
    assert.equal(told, ['edg_91', ...moved.slice(0, -1).map(({ edgeId }) => edgeId)]);
  });

  test('fails while it is made, and what was before stays', () => {
    const queued = new History();
    queued.does(note([cause(0)]));
    assert.equal(queued.does(fail), []);
    const history = rechecking('goa_1');
    assert.equal(types(history.does(fail)), ['RevisionFailed']);
    assert.equal([history.known.status, history.known.error?.code], ['failed', 'segment_failed']);
    for (const late of [apply, begin(MERGE_MS), revised('goa_1')]) assert.equal(history.does(late), []);
    assert.throws(() => new History().does(apply), /There is no revision rev_1/);
  });
});
