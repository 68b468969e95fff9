import * as assert from 'uvu/assert';
import { pipelines } from '../../../domain/pipelines/decider.js';
import { isRetrainDue, type Came } from '../../../domain/pipelines/new-data.js';
import { stored } from '../../spec.js';
import { suite } from '../../suite.js';
import { History } from './history.js';
import { created, NOW, of, settings, start } from './given.js';

const knobs = { minRows: 10, quietSeconds: 60, maxWaitSeconds: 600, cooldownSeconds: 3600 };
const at = (seconds: number): number => seconds * 1_000;
const came = (over: Partial<Came> = {}): Came => ({
  ...{ rows: 10, firstAt: at(10_000), lastAt: at(10_100), lastCycleAt: at(1_000) },
  ...over,
});

suite('new points that begin a cycle', test => {
  test('enough of them, come to rest', () => {
    assert.is(isRetrainDue(knobs, came(), at(10_159)), false);
    assert.is(isRetrainDue(knobs, came(), at(10_160)), true);
    assert.is(isRetrainDue(knobs, came({ rows: 9 }), at(20_000)), false);
  });

  test('waited for long enough although more come', () => {
    const still = came({ lastAt: at(10_599) });
    assert.is(isRetrainDue(knobs, still, at(10_599)), false);
    assert.is(isRetrainDue(knobs, still, at(10_600)), true);
  });

  test('not so soon after the last cycle began', () => {
    const soon = came({ lastCycleAt: at(9_000) });
    assert.is(isRetrainDue(knobs, soon, at(12_599)), false);
    assert.is(isRetrainDue(knobs, soon, at(12_600)), true);
  });

  test('before the first cycle they count from what there was when it was made', () => {
    const history = new History();
    history.does({
      type: 'CreatePipeline',
      data: { ...of, settings: settings(), owner: 'usr_1', rowsSeen: 40 },
    });
    assert.is(history.live.rowsSeen, 40);
    history.does(start({ rowsSeen: 100 }));
    assert.is(history.live.rowsSeen, 100);
  });

  test("of another segment they count from what there was when it became the pipeline's", () => {
    const history = new History();
    const change = (over: object, rowsSeen?: number) =>
      ({
        type: 'ChangePipeline',
        data: { ...of, settings: settings(over), seen: null, ...(rowsSeen !== undefined && { rowsSeen }) },
      }) as const;
    const points = () => [history.live.rowsSeen, history.live.newDataAt];
    history.does({
      type: 'CreatePipeline',
      data: { ...of, settings: settings(), owner: 'usr_1', rowsSeen: 40 },
    });
    history.does({ type: 'NoteNewData', data: { ...of, since: 5 } });
    history.does(change({ name: 'Other' }, 70));
    assert.equal(points(), [40, 5]);
    history.does(change({ segmentId: 'seg_2' }, 900));
    assert.equal(points(), [900, null]);
    // As facts of before say it
    history.does(change({ segmentId: 'seg_1' }));
    assert.equal(points(), [900, null]);
  });

  test('a pipeline of before says nothing of it: all count', () => {
    const { rowsSeen: _, ...data } = created().data;
    const [fact] = stored({ type: 'PipelineCreated', data, at: NOW } as const);
    const state = pipelines.evolve(pipelines.initialState, fact!);
    assert.is(state.status === 'live' && state.rowsSeen, 0);
  });

  test('the first of them is noted once, until a cycle begins', () => {
    const history = new History();
    history.does({
      type: 'CreatePipeline',
      data: { ...of, settings: settings(), owner: 'usr_1', rowsSeen: 0 },
    });
    const note = (since: number) => ({ type: 'NoteNewData', data: { ...of, since } }) as const;
    assert.equal(history.all(note(5), note(6)), ['NewDataSeen']);
    assert.is(history.live.newDataAt, 5);
    history.does(start());
    assert.is(history.live.newDataAt, null);
  });
});
