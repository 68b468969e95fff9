import * as assert from 'uvu/assert';
import type { WaitingTraining } from '../../projections/trainings/queries.js';
import { trainingWork } from '../../workers/trainings.js';
import { until } from '../platform.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';

const waiting = (n: number, segment_id: string): WaitingTraining => ({
  ...{ _id: `w/${n}`, workspace: 'w', training_id: `trn_${n}`, segment_id },
});

suite('trainings that wait', test => {
  test('for a table hold up none behind them, and their segment is asked for once a look', async () => {
    const all = [...Array.from({ length: 450 }, (_, n) => waiting(n, 'building')), waiting(450, 'ready')];
    const asked: string[] = [];
    const claimed: string[] = [];
    let looks = 0;
    const running = trainingWork({
      queries: {
        async *waitingBehind(workspace: string) {
          if (workspace >= 'w') return;
          looks++;
          for (let from = 0; from < all.length; from += 200) yield all.slice(from, from + 200);
        },
        working: async () => [],
        training: async () => null,
      },
      async segment(_: string, id: string) {
        asked.push(id);
        return { status: id, error: null, built: null };
      },
      commands: {
        async claim(_: string, id: string) {
          claimed.push(id);
          // Somebody else has it, and it waits no more
          all.pop();
          return { training: {}, isMine: false };
        },
      },
      ...{ atOnce: 2, alone: true, worker: 'here', newId: () => 'c', clock: () => 0, log: quiet },
      visible: async () => undefined,
    } as never);
    await until(async () => claimed.length > 0, 'the one whose table is there is begun');
    await running.stop();
    assert.equal([...new Set(claimed)], ['trn_450']);
    assert.ok(asked.filter(id => id === 'building').length <= looks, `${asked.length} in ${looks} looks`);
  });
});
