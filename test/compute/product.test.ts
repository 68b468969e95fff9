import * as assert from 'uvu/assert';
import { createCompute } from '../../adapters/compute/pool.js';
import type { Source } from '../../domain/maths/analysis.js';
import { tasks } from '../../domain/maths/tasks.js';
import { DAY } from '../../domain/time.js';
import { randomOf } from '../random.js';
import { suite } from '../suite.js';
import { by } from './pool.js';

const random = randomOf(11);
const rows = 120;
const values = (): Float64Array => Float64Array.from({ length: rows }, () => random.next());
const times = Float64Array.from({ length: rows }, (_, i) => Date.UTC(2026, 0, 1) + i * DAY);
const sources: readonly Source[] = [
  ...['a', 'b', 'c'].map((key): Source => ({ key, type: 'signal', series: { times, values: values() } })),
  {
    key: 'd',
    type: 'event',
    times: times.filter((_, i) => i % 3 === 0),
    ranks: Array.from({ length: rows / 3 }, (_, i) => (i % 7 === 0 ? null : i)),
  },
];
const settings = {
  windows: 4,
  signalCount: 30,
  maxLag: 3,
  significanceLevel: 0.05,
  difference: 'none',
} as const;

suite('compute pool: the analyses', test => {
  const compute = createCompute({ workers: 1, memoryMb: 512, withinMs: 60_000 });
  test.after(() => compute.close());

  test('causality equals the direct call to the bit', async () => {
    const input = { sources, intensity: 'rank', settings } as const;
    assert.equal(await compute.run('causality', input, by('a')), tasks.causality(input));
    assert.is(await compute.json('causality', input, by('a')), JSON.stringify(tasks.causality(input)));
  });

  test('so does correlation', async () => {
    const input = { sources, intensity: 'count', method: 'spearman', maxLag: 5, difference: true } as const;
    assert.equal(await compute.run('correlation', input, by('a')), tasks.correlation(input));
    assert.is(await compute.json('correlation', input, by('a')), JSON.stringify(tasks.correlation(input)));
  });

  test('so does relevance', async () => {
    const input = { sources, intensity: 'rank', horizon: 2 } as const;
    assert.equal(await compute.run('relevance', input, by('a')), tasks.relevance(input));
    assert.is(await compute.json('relevance', input, by('a')), JSON.stringify(tasks.relevance(input)));
  });
});
