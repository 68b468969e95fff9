import * as assert from 'uvu/assert';
import { memoryKeyValue } from '../../adapters/memory.js';
import { HOUR, MINUTE } from '../../domain/time.js';
import { uptime } from '../../workers/uptime.js';
import { suite } from '../suite.js';

const START = 500_000 * HOUR;

suite('since when the platform is up', test => {
  test('a short restart does not count as a break, a longer one does', async () => {
    let now = START;
    const clock = () => now;
    const kv = memoryKeyValue(clock);
    const [first, reader] = [uptime({ kv, clock }), uptime({ kv, clock })];
    assert.is(await first.since(), START, 'it begins now');
    for (; now < START + HOUR; now += MINUTE) await first.tell();
    assert.equal([await first.since(), await reader.since()], [START, START]);
    now += 3 * MINUTE;
    const second = uptime({ kv, clock });
    assert.is(await second.since(), START);
    await second.tell();
    now += 2 * HOUR;
    const third = uptime({ kv, clock });
    assert.is(await third.since(), now);
    await third.tell();
    const again = now;
    now += MINUTE;
    assert.equal([await third.since(), await uptime({ kv, clock }).since()], [again, again]);
  });
});
