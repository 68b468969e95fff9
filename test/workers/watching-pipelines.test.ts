import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import type { NewFact } from '../../domain/fact.js';
import { signalName } from '../../workers/new-points.js';
import { watchPipelines } from '../../workers/watching-pipelines.js';
import { NOW } from '../domain/pipelines/given.js';
import { until } from '../platform.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

const onNewData = { minRows: 2, quietSeconds: 10, maxWaitSeconds: 100, cooldownSeconds: 0 };

/** Pipelines that watch a signal each, and facts that are told to them. */
function world(keys: readonly string[]) {
  const store = memoryEventStore();
  const rows = new Map(keys.map(key => [key, 10]));
  const lastAt = new Map<string, number>();
  const counted: string[] = [];
  const begun: string[] = [];
  let now = NOW;
  let lists = 0;
  const docs = keys.map(key => {
    const settings = { segmentId: key, onNewData };
    const state = {
      settings,
      newDataAt: null as number | null,
      rowsSeen: 10,
      lastCycleAt: null,
      blocked: null,
    };
    return { _id: key, workspace: 'w', pipeline_id: key, state };
  });
  const docOf = (key: string) => docs.find(({ _id }) => _id === key)!;
  const watching = watchPipelines(
    {
      queries: {
        async *watching() {
          lists++;
          yield docs as never[];
        },
      },
      commands: {
        noteNewData: async ({ pipelineId }: { pipelineId: string }, since: number) => {
          docOf(pipelineId).state.newDataAt = since;
          return { position: null };
        },
      } as never,
      async pointsOf(_, key) {
        counted.push(key);
        return { rows: rows.get(key)!, lastAt: lastAt.get(key) ?? 0, signals: [signalName('w', key)] };
      },
      ...{ events: store, caughtUp: async () => true, clock: () => now, visible: async () => {}, log: quiet },
      lookEveryMs: 1,
    },
    {
      begin: async ({ _id }) => {
        begun.push(_id);
        Object.assign(docOf(_id).state, { newDataAt: null, rowsSeen: rows.get(_id), lastCycleAt: now });
      },
      contextOf: () => ({}) as never,
      rests: () => false,
      failed: (_, error) => assert.unreachable(String(error)),
    },
  );
  let revision = -1;
  const tell = async (type: string, data: object, journal = 'signal-w.x'): Promise<void> => {
    const meta = { workspace: 'w', actor: 'a', request: null, correlation: 'c', causation: null };
    const fact: NewFact = { id: randomUUID(), type, data, at: now, meta };
    await store.append(journal, journal === 'signal-w.x' ? revision++ : -1, [fact]);
  };
  return {
    ...{ counted, begun, tell, watching, lists: () => lists },
    async points(key: string, more: number) {
      rows.set(key, (rows.get(key) ?? 0) + more);
      lastAt.set(key, now);
      await tell('PointsRecorded', { key });
    },
    pass: (seconds: number) => {
      now += 1_000 * seconds;
    },
  };
}

suite('pipelines that wait for new points', test => {
  test('count them where facts say that some came, and not else', async () => {
    const { watching, counted, begun, points, pass, lists, tell } = world(['a', 'b', 'shop']);
    await until(async () => counted.length === 3, 'all are counted at first');
    const first = lists();
    // Nobody reads it: pipelines are looked through, and nothing is counted
    await points('other', 5);
    await until(async () => lists() > first, 'they are looked through');
    assert.equal(counted, ['a', 'b', 'shop']);
    await points('a', 1);
    await until(async () => counted.length === 4, 'it is counted again');
    assert.is(counted.at(-1), 'a');
    // By the name of its base, where entities are meant
    await points('shop__berlin', 1);
    await until(async () => counted.length === 5, 'the base is');
    assert.is(counted.at(-1), 'shop');
    await points('b', 3);
    await until(async () => counted.at(-1) === 'b', 'enough came');
    assert.equal(begun, []);
    const many = counted.length;
    // They have not come to rest: there is no need to count
    pass(5);
    await points('b', 1);
    const seen = lists();
    await until(async () => lists() > seen + 3, 'it is looked at by time alone');
    assert.is(counted.length, many);
    pass(11);
    await until(async () => begun.length === 1, 'they have come to rest');
    assert.equal([begun, counted.slice(many)], [['b'], ['b']]);
    // A segment may read other signals now
    await tell('SegmentRevised', {}, 'segment-w.s');
    await until(async () => counted.length === many + 4, 'all are counted again');
    await watching.stop();
  });

  test('rest where nothing comes and no time passes that matters', async () => {
    const { watching, counted, lists, tell } = world(['a']);
    await until(async () => counted.length === 1, 'it is counted at first');
    // Each fact of a pipeline has them looked through once
    for (let i = 0; i < 3; i++) {
      const before = lists();
      await tell('PipelineChanged', {}, `pipeline-w.${i}`);
      await until(async () => lists() > before, 'they are looked through');
      assert.is(lists(), before + 1);
    }
    assert.equal(counted, ['a']);
    await watching.stop();
  });
});
