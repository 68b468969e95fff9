import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { byomValidation } from '../../adapters/byom/validate.js';
import type { ByomFound } from '../../commands/byom/validating.js';
import type { Format, Signature } from '../../domain/byom/signature.js';
import { given, HORIZON, LOOKBACK, signatureOf } from '../byom-files.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

/** The window and what the libraries themselves answer on it (recipe.py). */
const expected = JSON.parse(given('expected.json').toString()) as { window: number[] } & Record<
  string,
  number[]
>;

const tensor = (name: string, ...shape: (string | number)[]) => ({ name, dtype: 'float32', shape }) as const;
const quantiles = signatureOf({
  inputs: [tensor('series', 'batch', LOOKBACK, 1)],
  outputs: [tensor('quantiles', 'batch', HORIZON, 3)],
  quantiles: [0.1, 0.5, 0.9],
});
const trees = (horizon: number): Signature =>
  signatureOf({ outputs: [tensor('variable', 'batch', horizon)], horizon, normalization: 'none' });

suite('models of other libraries answer here as they do there', test => {
  const folder = temporaryFolder();
  test.after(() => folder.remove());

  const found = (file: string, format: Format, signature: Signature): Promise<ByomFound> => {
    const path = join(folder.path, file);
    const content = given(file);
    writeFileSync(path, content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const series = { values: Float64Array.from(expected.window), period: 12, source: 'a window' };
    const validate = byomValidation({ memoryMb: 2_048, withinMs: 240_000 });
    const asked = { format, sha256, signature, series };
    return validate(path, asked, new AbortController().signal, async each => each);
  };

  const cases: readonly [file: string, format: Format, signature: Signature][] = [
    ['ridge.onnx', 'onnx', signatureOf()],
    ['forest.onnx', 'onnx', signatureOf()],
    ['lstm.onnx', 'onnx', quantiles],
    ['xgboost2-6.json', 'xgboost_json', trees(6)],
    ['xgboost2-1.json', 'xgboost_json', trees(1)],
    ['xgboost3-6.json', 'xgboost_json', trees(6)],
    ['xgboost3-1.json', 'xgboost_json', trees(1)],
  ];
  for (const [file, format, signature] of cases)
    test(file, async () => {
      const { as, checks, sample } = await found(file, format, signature);
      assert.is(as, 'validated', JSON.stringify(checks));
      const theirs = expected[file.replace(/\.\w+$/, '')]!;
      assert.is(sample!.output.length, theirs.length);
      theirs.forEach((value, i) =>
        assert.ok(Math.abs(value - sample!.output[i]!) < 1e-3, `${i}: ${sample!.output[i]}`),
      );
    });

  test('trees of another lookback, of another horizon, and of other kinds are refused', async () => {
    const message = async (file: string, signature: Signature): Promise<string> => {
      const { as, checks } = await found(file, 'xgboost_json', signature);
      assert.is(as, 'rejected');
      return checks.find(({ status }) => status === 'failed')!.message;
    };
    const longer = { ...trees(6), lookback: 48, inputs: [tensor('series', 'batch', 48)] };
    assert.match(await message('xgboost3-6.json', longer), /is \[\?, 24\] in the file/);
    assert.match(await message('xgboost3-6.json', trees(5)), /gives \[1, 6\]/);
    assert.match(await message('expected.json', trees(6)), /learner/);
  });
});
