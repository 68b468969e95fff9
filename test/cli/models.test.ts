import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { ModelOptions, ShownImport, ShownModel } from '../../cli/jobs/models.js';
import type { Json } from '../json.js';
import { lastValuePlus, type TinyNetwork } from '../models/onnx-file.js';
import { suite } from '../suite.js';
import { operate } from './operate.js';
import {
  accountOf,
  dataFolder,
  endAll,
  get,
  presage,
  serve,
  type Account,
  type Listening,
} from './presage.js';

/** Eight steps with three levels each, around the last value. */
const LEVELS = Array.from({ length: 8 }, (_, step) => [-1 - step, 0, 1 + step]).flat();
const NETWORK: TinyNetwork = { added: LEVELS, shape: [1, 8, 3] };
const manifest = (changes: object = {}): object => ({
  ...{ family: 'other', slug: 'tiny', vendor: 'Somebody', licence: 'CC-BY-NC-4.0', commercial_use: false },
  ...{ parameters: 24, caps: { context: 64, horizon: 8 }, tasks: ['forecast'], quantiles: [0.1, 0.5, 0.9] },
  graph: {
    input: { name: 'x', type: 'float32', channel: false, length: null, missing: 'linear', pad: 'first' },
    output: { name: 'y', form: 'levels_last' },
    scaling: 'none',
  },
  ...changes,
});
const graph = (input: object, rest: object = {}): object => {
  const usual = (manifest() as Json).graph;
  return { graph: { ...usual, input: { ...usual.input, ...input }, ...rest } };
};

suite('models of other makers on the command line', test => {
  const DATA_DIR = dataFolder();
  const written = dataFolder('files');
  let running: Listening;
  let who: Account;
  let files = 0;
  test.before(async () => {
    running = await serve({ DATA_DIR });
    who = await accountOf(running);
  });
  test.after(async () => {
    await running.stop();
    endAll();
  });
  const put = (name: string, content: string | Uint8Array): string => {
    const path = `${written}-${files++}-${name}`;
    writeFileSync(path, content);
    return path;
  };
  const network = (changes: Partial<TinyNetwork> = {}) =>
    put('tiny.onnx', lastValuePlus({ ...NETWORK, ...changes }));
  const asked = async (options: ModelOptions): Promise<Json> => {
    const [output] = await operate(DATA_DIR, 'model', options);
    if (output?.kind === 'error') throw new Error(output.message);
    return (output as { result: unknown }).result;
  };
  const refused = async (message: RegExp, options: ModelOptions): Promise<void> => {
    const [output] = await operate(DATA_DIR, 'model', options);
    assert.ok(output?.kind === 'error' && message.test(output.message), JSON.stringify(output));
  };
  const importing = (changes: object = {}, file = network()): ModelOptions => ({
    what: 'import',
    file,
    manifest: manifest(changes),
  });
  const kept = (): string[] => readdirSync(join(DATA_DIR, 'models')).filter(name => name.endsWith('.onnx'));

  test('what is wrong in a manifest is named', async () => {
    const wrong: [RegExp, object][] = [
      [/commercial_use/, { commercial_use: undefined }],
      [/licence/, { licence: '' }],
      [/presage is our own/, { family: 'presage' }],
      [/'adapters' is taken/, { family: 'adapters' }],
      [/family must match pattern/, { family: 'Big Family' }],
      [/quantiles must ascend/, { quantiles: [0.5, 0.1, 0.9] }],
      [/must hold 0.5/, { quantiles: [0.1, 0.9] }],
      [/two levels or more/, { quantiles: [0.5] }],
      [/tasks: 'embed'/, { tasks: ['forecast', 'embed'] }],
      [/tasks.0 .*forecast, impute/, { tasks: ['guess'] }],
      [/covariates .*none/, { covariates: 'future' }],
      [/caps.context must be 32/, graph({ length: 32 })],
      [/takes no NaN/, graph({ pad: 'nan' })],
      [/graph.scaling/, graph({}, { scaling: 'log' })],
      [/graph .*'mask'/, graph({}, { mask: 'm' })],
      [/sha256 .* the manifest says/, { sha256: '0'.repeat(64) }],
    ];
    for (const [message, changes] of wrong) await refused(message, importing(changes));
    assert.equal(kept(), []);
  });

  test('a file that does not do what its manifest says is refused, and not kept', async () => {
    await refused(/opens: /, importing({}, put('rubbish.onnx', 'no network at all')));
    await refused(/no input 'z', but x/, importing(graph({ name: 'z' })));
    await refused(
      /no output 'q', but y/,
      importing(graph({}, { output: { name: 'q', form: 'levels_last' } })),
    );
    await refused(/forward_pass: 1 steps? with 2 levels|numbers, not/, importing({ quantiles: [0.1, 0.5] }));
    await refused(
      /in_the_units_of_the_series/,
      importing({}, network({ added: LEVELS.map(x => x + 5_000) })),
    );
    await refused(/missing_values: .*not finite/, importing(graph({ missing: 'nan', pad: 'nan' })));
    await refused(/cannot be read/, importing({}, join(written, 'nowhere.onnx')));
    assert.equal(kept(), []);
    assert.equal((await asked({ what: 'list' })).length, 2);
  });

  test('one that does well is kept, listed, and said to be for research alone', async () => {
    const file = network();
    const path = put('manifest.json', JSON.stringify(manifest()));
    const { code, stdout, stderr } = await presage(['model', 'import', file, '--manifest', path, '--json'], {
      DATA_DIR,
    });
    assert.is(code, 0, stderr);
    const shown = JSON.parse(stdout) as ShownImport;
    const sha256 = createHash('sha256').update(lastValuePlus(NETWORK)).digest('hex');
    assert.equal(
      [shown.model, shown.blueprint_uid, shown.sha256, shown.commercial_use],
      ['other/tiny', 'extfm__other__tiny', sha256, false],
    );
    assert.ok(shown.checks.length >= 5 && shown.checks.every(({ status }) => status === 'passed'));
    assert.equal(kept(), [`${sha256}.onnx`]);
    const { data } = (await (
      await get(running.base, who, '/v1/models/foundation/other/tiny')
    ).json()) as Json;
    assert.equal([data.license, data.license_commercial_ok], ['CC-BY-NC-4.0', false]);
  });

  test('the same again changes nothing, another one under its name is refused', async () => {
    await asked(importing());
    await refused(/imported before, with another/, importing({ licence: 'MIT' }));
    await refused(/imported before, with another/, importing({}, network({ added: LEVELS.map(x => 2 * x) })));
    assert.is(kept().length, 1);
  });

  test('models are retired for another one, and come back', async () => {
    const tiny = { family: 'other', slug: 'tiny' };
    const nano = { family: 'presage', slug: 'nano' };
    const mini = { family: 'presage', slug: 'mini' };
    const shown = async () =>
      (await asked({ what: 'list' })).find((each: ShownModel) => each.model === 'other/tiny');
    const { code, stdout } = await presage(
      ['model', 'deprecate', 'other/tiny', '--replacement', 'presage/nano'],
      { DATA_DIR },
    );
    assert.is(code, 0);
    assert.match(stdout, /replacement +presage\/nano/);
    assert.equal([(await shown()).deprecated, (await shown()).replacement], [true, 'presage/nano']);
    await asked({ what: 'deprecate', model: tiny, replacement: mini });
    assert.is((await shown()).replacement, 'presage/mini');
    await refused(/tiny is deprecated itself/, { what: 'deprecate', model: nano, replacement: tiny });
    await refused(/cannot replace itself/, { what: 'deprecate', model: nano, replacement: nano });
    await refused(/other\/huge is not available/, {
      what: 'deprecate',
      model: { family: 'other', slug: 'huge' },
      replacement: null,
    });
    await asked({ what: 'reinstate', model: tiny });
    assert.equal([(await shown()).deprecated, (await shown()).replacement], [false, null]);
    const listed = await presage(['model', 'list'], { DATA_DIR });
    assert.match(listed.stdout, /presage\/nano .* yes +available/);
    assert.match(listed.stdout, /other\/tiny .* no +available/);
  });

  test('the doctor reads their files, and says which is damaged', async () => {
    const [file] = kept();
    const path = join(DATA_DIR, 'models', file!);
    const found = async () => {
      const outputs = (await operate(DATA_DIR, 'doctor', { quick: false })) as Json[];
      return outputs.map(({ row }) => row).filter(row => row?.part === 'foundation models');
    };
    const states = (rows: Json[]) => rows.map(({ state }) => state);
    assert.equal(states(await found()), ['ok']);
    const bytes = readFileSync(path);
    writeFileSync(path, 'damaged');
    const rows = await found();
    assert.equal(states(rows), ['problem', 'ok']);
    assert.match(rows[0].text, /other\/tiny, is missing or is not the one that was imported/);
    writeFileSync(path, bytes);
  });

  test('replayed, they are the same', async () => {
    await running.stop();
    const replayed = await presage(['replay', '--verify', '--projection', 'models'], { DATA_DIR });
    assert.is(replayed.code, 0, replayed.stderr);
    running = await serve({ DATA_DIR });
  });

  test('what is no model is refused at the command line', async () => {
    const { code, stderr } = await presage(['model', 'deprecate', 'nano'], { DATA_DIR });
    assert.is(code, 2);
    assert.match(stderr, /FAMILY\/SLUG/);
    const missing = await presage(['model', 'import', 'x.onnx', '--manifest', 'nowhere.json'], { DATA_DIR });
    assert.equal([missing.code, /nowhere.json cannot be read/.test(missing.stderr)], [2, true]);
  });
});
