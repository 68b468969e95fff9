import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import { revisionCommands } from '../../commands/revisions/records.js';
import { revisionWork } from '../../workers/revisions.js';
import { cause, goal, MERGE_MS } from '../domain/revisions/given.js';
import { until } from '../platform.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

const context = {
  ...{ workspace: 'w', actor: 'reactor:history-revision', request: null },
  ...{ correlation: 'c', causation: null, at: 1 },
};
/** When it begins twice; how long it rests at least before each look that follows. */
const RESTS_MS = [200, 400, 800];
const CLOCKS_DIFFER_MS = 2;

suite('a revision that waits', test => {
  test('is looked at less and less often while nothing comes of it, and goes on', async () => {
    const store = memoryEventStore();
    const commands = revisionCommands({ handle: handler(store, randomUUID), load: loader(store) });
    const noted = { found: [{ cause: cause(0), goals: [goal('goa_1')] }], mergeMs: MERGE_MS };
    const { after } = await commands.note('w', 0, noted, context);
    const { revisionId } = after as { revisionId: string };
    const of = { workspace: 'w', revisionId };
    const segment = {
      recipe: {
        ...{ target: 'orders', inputs: [], features: [], entity_mode: 'none' },
        event_streams: [{ stream: 'news' }],
      },
      ...{ status: 'building', last: { startedAt: null }, table: null as object | null },
    };
    const looks: number[] = [];
    let isGone = false;
    const running = revisionWork({
      ...{ commands, everyMs: 1, clock: () => MERGE_MS, newId: () => 'c', log: quiet },
      queries: {
        async dueBehind(turn: string) {
          const { status } = await commands.read(of);
          const doc = { _id: `w/${revisionId}`, workspace: 'w', revision_id: revisionId, status };
          return turn === '' && status !== 'applied' ? [doc] : [];
        },
      },
      segments: {
        async read() {
          looks.push(performance.now());
          return segment;
        },
      },
      goal: async () => ({ status: isGone ? 'archived' : 'active', settings: { segmentId: 'seg_1' } }),
      ...{ isArchived: () => false, head: async () => 0, notedUpTo: async () => 0 },
      visible: async () => undefined,
    } as never);
    try {
      await until(async () => looks.length > 1 + RESTS_MS.length, 'it is looked at');
      const gaps = looks.slice(2).map((at, i) => at - Number(looks[i + 1]));
      RESTS_MS.forEach((ms, i) => {
        assert.ok(Number(gaps[i]) >= ms - CLOCKS_DIFFER_MS, `it rested ${gaps} ms`);
      });
      isGone = true;
      segment.table = { readAt: 7, table_hash: 'b', row_count: 3 };
      segment.status = 'ready';
      await until(async () => (await commands.read(of)).status === 'applied', 'it goes on');
    } finally {
      await running.stop();
    }
  });
});
