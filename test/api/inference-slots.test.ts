import * as assert from 'uvu/assert';
import { slotsOf } from '../../api/inference/slots.js';
import type { Rejected } from '../../domain/rejected.js';
import { suite } from '../suite.js';

suite('inferences at once', test => {
  test('are so many for each workspace, and a place is given back whatever becomes of the work', async () => {
    const slots = slotsOf(2);
    const ends: (() => void)[] = [];
    const held = () => slots('a', () => new Promise<void>(resolve => ends.push(resolve)));
    const refusal = async (workspace: string) => {
      try {
        await slots(workspace, async () => {});
      } catch (error) {
        return (error as Rejected).details;
      }
      return null;
    };
    const work = [held(), held()];
    assert.equal(await refusal('a'), { policy: 'inference', limit: 2, window_s: 0, retry_after_s: 1 });
    assert.is(await refusal('b'), null);
    ends[0]!();
    await work[0];
    assert.is(await refusal('a'), null);
    await slots('a', async () => {
      throw new Error('it fails');
    }).catch(() => {});
    assert.is(await refusal('a'), null);
    ends[1]!();
    await work[1];
  });
});
