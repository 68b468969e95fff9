import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { isAdapter, packAdapter, readAdapter } from '../../adapters/finetune/adapter-file.js';
import { readBackbone } from '../../adapters/finetune/backbone.js';
import { weightsIn, withWeightInputs } from '../../adapters/finetune/onnx-weights.js';
import { Tuner } from '../../adapters/finetune/tuner.js';
import { defaultFamilyDir, readModelFile } from '../../adapters/forecaster/files.js';
import { openSession } from '../../adapters/forecaster/session.js';
import { addLearned, begun, partsOf } from '../../domain/maths/finetuning/learned.js';
import { PLANS, type Depth } from '../../domain/maths/finetuning/plans.js';
import { seeded } from '../../domain/maths/seeded.js';
import { suite } from '../suite.js';

const HORIZON = 24;
const { manifest, bytes } = readModelFile(defaultFamilyDir(), 'nano');
const { slug, sha256 } = manifest;
const backbone = { slug, sha256 };
const held = weightsIn(bytes);
const values = Float64Array.from({ length: 200 }, (_, t) => Math.sin(t / 3) + Math.sin(t * t));

/** Something learned, of the size of what is learned. */
function learnedOf(depth: Depth) {
  const plan = PLANS[depth].at(-1)!;
  const shapes = new Map([...held].map(([name, { shape }]) => [name, shape]));
  const asked = new Map([...shapes].filter(([name, shape]) => plan.rankOf(name, shape) !== null));
  const parts = partsOf(asked, name => plan.rankOf(name, shapes.get(name)!));
  const random = seeded(4);
  const theta = begun(parts, random).map(x => x * 0.1 + 0.01 * (random() - 0.5));
  return { parts, theta };
}

suite('adapters', test => {
  for (const depth of ['adapt', 'specialize', 'forge'] as const)
    test(`an adapter of depth ${depth} serves what was learned`, async () => {
      const { parts, theta } = learnedOf(depth);
      const file = packAdapter({ backbone, lookback: 128 }, parts, theta);
      const tuner = await Tuner.open(readBackbone(slug, sha256));
      const base = tuner.backbone.weights;
      const weights = new Map([...base].map(([name, w]) => [name, w.slice()]));
      addLearned(parts, theta, 1, base, weights);
      const example = {
        context: values.subarray(-128),
        period: 1,
        target: new Float64Array(HORIZON).fill(NaN),
      };
      const [wanted] = await tuner.forecasts(await tuner.prepare([example], HORIZON), HORIZON, weights);
      const [plain] = await tuner.forecasts(await tuner.prepare([example], HORIZON), HORIZON, base);
      const session = await openSession({ bytes: file });
      const { quantiles } = await session.run({ values, period: 1 }, HORIZON);
      const wide = wanted!.values[8]! - wanted!.values[0]!;
      const apart = (a: Float64Array, b: Float64Array) => Math.max(...a.map((x, k) => Math.abs(x - b[k]!)));
      assert.ok(apart(quantiles, wanted!.values) < 2e-3 * wide, 'it differs from what was learned');
      assert.ok(apart(quantiles, plain!.values) > 2e-2 * wide, 'it differs from the backbone');
      await tuner.close();
    });

  test('an adapter that changes nothing forecasts as the backbone does', async () => {
    const { parts, theta } = learnedOf('adapt');
    const nothing = packAdapter({ backbone, lookback: 2048 }, parts, theta.fill(0));
    const [plain, own] = [await openSession({ bytes }), await openSession({ bytes: nothing })];
    const [a, b] = [await plain.run({ values, period: 1 }, 64), await own.run({ values, period: 1 }, 64)];
    const wide = a.quantiles[8]! - a.quantiles[0]!;
    a.quantiles.forEach((x, k) => assert.ok(Math.abs(x - b.quantiles[k]!) < 1e-4 * wide));
    await plain.close();
  });

  test('an adapter stands on the weights it was learned over once others took their place', async () => {
    const folder = new URL('earlier/', pathToFileURL(defaultFamilyDir()));
    const files = readdirSync(folder);
    assert.ok(files.length > 0);
    for (const file of files) {
      const earlier = readFileSync(new URL(file, folder));
      const shapes = [...weightsIn(earlier)].map(([name, { shape }]) => [name, shape] as const);
      const parts = partsOf(new Map(shapes.filter(([name]) => name.startsWith('weigh.'))), () => 0);
      const backbone = { slug, sha256: file.replace('.onnx', '') };
      const nothing = new Float32Array(parts.at(-1)!.end);
      const adapter = packAdapter({ backbone, lookback: 2048 }, parts, nothing);
      const [plain, own] = [await openSession({ bytes: earlier }), await openSession({ bytes: adapter })];
      const [a, b] = [await plain.run({ values, period: 1 }, 64), await own.run({ values, period: 1 }, 64)];
      const wide = a.quantiles[8]! - a.quantiles[0]!;
      a.quantiles.forEach((x, k) => assert.ok(Math.abs(x - b.quantiles[k]!) < 1e-4 * wide));
      await plain.close();
    }
  });

  test('several adapters of one backbone keep apart', async () => {
    const { parts, theta } = learnedOf('adapt');
    const files = [1, -1].map(sign =>
      packAdapter(
        { backbone, lookback: 128 },
        parts,
        theta.map(x => x * sign),
      ),
    );
    const sessions = await Promise.all(files.map(file => openSession({ bytes: file })));
    const alone = await sessions[0]!.run({ values, period: 1 }, HORIZON);
    const both = await Promise.all(sessions.map(session => session.run({ values, period: 1 }, HORIZON)));
    assert.equal(both[0]!.quantiles, alone.quantiles);
    assert.not.equal(both[1]!.quantiles, alone.quantiles);
  });

  test('what is packed is read again, within a thirty-thousandth of the largest number', () => {
    const { parts, theta } = learnedOf('specialize');
    const file = packAdapter({ backbone, lookback: 77 }, parts, theta);
    const read = readAdapter(file);
    assert.equal(read.head.backbone, backbone);
    assert.is(read.head.lookback, 77);
    assert.equal(read.parts, parts);
    for (const { at, end } of parts) {
      const most = theta.subarray(at, end).reduce((m, x) => Math.max(m, Math.abs(x)), 0);
      for (let i = at; i < end; i++) assert.ok(Math.abs(read.theta[i]! - theta[i]!) <= most / 60_000);
    }
    assert.equal(packAdapter({ backbone, lookback: 77 }, parts, theta), file);
  });

  test('a file that was cut, or is none, is refused, and one over another backbone too', async () => {
    const { parts, theta } = learnedOf('adapt');
    const file = packAdapter({ backbone, lookback: 77 }, parts, theta);
    assert.not(isAdapter(bytes));
    assert.throws(() => readAdapter(bytes), 'no adapter');
    assert.throws(() => readAdapter(file.subarray(0, file.length - 2)), 'cut short');
    const other = packAdapter({ backbone: { slug, sha256: 'f'.repeat(64) }, lookback: 77 }, parts, theta);
    const refused = await openSession({ bytes: other }).catch((error: Error) => error.message);
    assert.match(String(refused), /earlier cannot be used: .*\.onnx/);
  });

  test('a network with its weights as inputs has lost them, and no other', () => {
    const names = ['head.0.weight', 'head.0.bias'];
    const { file, inputs } = withWeightInputs(bytes, names);
    assert.equal([...inputs.keys()].sort(), [...names].sort());
    assert.equal(
      [...weightsIn(file).keys()],
      [...held.keys()].filter(name => !names.includes(name)),
    );
    assert.ok(file.length < bytes.length);
  });
});
