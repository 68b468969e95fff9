import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { broughtWorkers } from '../../adapters/forecaster/brought.js';
import { openFamily, type Family } from '../../adapters/forecaster/family.js';
import type { Portion } from '../../adapters/forecaster/portion.js';
import { openService } from '../../adapters/forecaster/service.js';
import { isModelFailed } from '../../commands/serving-pool.js';
import { lastValuePlus } from '../models/onnx-file.js';
import { suite } from '../suite.js';
import { failure, never } from './forecaster-family.js';

const values = Float64Array.from({ length: 30 }, (_, i) => 10 + (i % 7));
const graph = {
  input: { name: 'x', type: 'float32', channel: false, length: null, missing: 'linear', pad: 'first' },
  output: { name: 'y', form: 'points' },
  scaling: 'none',
};

suite('models that were brought, in processes of their own', test => {
  let dir = '';
  const open: Family[] = [];
  test.before(() => {
    dir = mkdtempSync(join(tmpdir(), 'brought-'));
    write('fine', lastValuePlus({ added: [1, 2, 3], shape: [1, 3] }));
    write('garbage', Buffer.from('no network at all'));
  });
  test.after(async () => {
    await Promise.all(open.map(family => family.close()));
    rmSync(dir, { recursive: true });
  });
  const write = (slug: string, bytes: Uint8Array): string => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(dir, `${sha256}.onnx`), bytes);
    const caps = { context: 30, horizon: 3 };
    const manifest = {
      slug,
      file: `${sha256}.onnx`,
      sha256,
      caps,
      tasks: ['forecast'],
      quantiles: [0.5],
      graph,
    };
    writeFileSync(join(dir, `${slug}.json`), JSON.stringify(manifest));
    return sha256;
  };
  const apart = (withinMs: number): Family => {
    const workers = (maxWaiting: number, maxWaitingInLane: number) =>
      broughtWorkers({ dir, processes: 2, memoryMb: 512, withinMs, maxWaiting, maxWaitingInLane });
    const family = openFamily({ threads: 2, dir, workers });
    open.push(family);
    return family;
  };
  const asked = (family: Family, slug: string) =>
    family.forecasters.get(slug)!.forecast([{ values, period: 7 }], 3, never);

  test('they answer what threads answer, also beside one that fails', async () => {
    const family = apart(60_000);
    const inThreads = openFamily({ threads: 1, dir });
    open.push(inThreads);
    const [made, failed] = await Promise.all([asked(family, 'fine'), failure(asked(family, 'garbage'))]);
    assert.equal(made, await asked(inThreads, 'fine'));
    assert.ok(isModelFailed(failed));
    assert.match(failed.message, /^The model failed: the runtime cannot run it$/);
    assert.is(await family.warm('fine', [{ values, period: 7 }], 2), 2);
  });

  test('those that are kept open have so many bytes together, and the others are opened anew', async () => {
    const files = ['one', 'two'].map((slug, i) => {
      const bytes = lastValuePlus({ added: [i, 2, 3], shape: [1, 3] });
      return { slug, bytes, sha256: write(slug, bytes) };
    });
    const [one, two] = files as [(typeof files)[number], (typeof files)[number]];
    const stopped = new Int32Array(1);
    const series = [{ values, period: 7 }];
    for (const [keptBytes, isKept] of [
      [one.bytes.length + two.bytes.length, true],
      [one.bytes.length + two.bytes.length - 1, false],
    ] as const) {
      const service = openService(dir, keptBytes);
      const ask = ({ slug, sha256 }: typeof one) =>
        service.run({ slug, sha256, lane: 'w', series, horizon: 3, stopped });
      await ask(one);
      await ask(two);
      // Who has it open reads no file
      rmSync(join(dir, 'one.json'));
      const again = await ask(one).then(
        () => true,
        () => false,
      );
      write(one.slug, one.bytes);
      assert.is(again, isKept);
      await ask(one);
      await service.close();
    }
  });

  test('a workspace has a share of what may be under way, and others the rest', async () => {
    const lanes: string[] = [];
    let end = (): void => undefined;
    const ended = new Promise<void>(resolve => {
      end = resolve;
    });
    const workers = (maxWaiting: number, maxWaitingInLane: number) => {
      assert.equal([maxWaiting, maxWaitingInLane], [8, 4]);
      return {
        async run({ lane, series: some }: Portion) {
          lanes.push(lane);
          await ended;
          return some.map(() => ({ quantiles: new Float64Array(3), embedding: new Float32Array() }));
        },
        onEach: async () => 0,
        close: async () => undefined,
      };
    };
    const family = openFamily({ threads: 2, dir, workers, share: 0.5, limits: { series: 8, steps: 24 } });
    open.push(family);
    const call = (slug: string, lane: string, count: number) =>
      family
        .within(slug, work => work(), lane)!
        .forecast(Array(count).fill({ values, period: 7 }), 3, never)
        .then(
          answers => answers.length,
          (error: Error) => error.message,
        );
    const under = [call('fine', 'a', 3), call('garbage', 'a', 1)];
    const refused = 'Too many forecasts of one workspace are under way; try again soon';
    assert.equal(await Promise.all([call('fine', 'a', 1), call('garbage', 'a', 1)]), [refused, refused]);
    under.push(call('fine', 'b', 3), call('fine', 'c', 1));
    end();
    assert.equal(await Promise.all(under), [3, 1, 3, 1]);
    assert.equal([...new Set(lanes)], ['a', 'b', 'c']);
    assert.is(await call('fine', 'a', 8), 8, 'the first may be as large as any');
  });

  test('one that takes too long is ended, and whoever asked is told', async () => {
    const failed = await failure(asked(apart(1), 'fine'));
    assert.ok(isModelFailed(failed) || failed.message.startsWith('Too many'), failed.message);
  });
});
