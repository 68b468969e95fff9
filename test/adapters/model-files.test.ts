import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openFamily } from '../../adapters/forecaster/family.js';
import type { SharedFiles } from '../../adapters/file-store.js';
import { modelFiles } from '../../adapters/models/model-files.js';
import type { FoundationListing } from '../../domain/models/hosted.js';
import { dropDatabase, newDatabase } from '../contract/mongodb.js';
import { lastValuePlus } from '../models/onnx-file.js';
import { openMongo } from '../../adapters/mongodb/open.js';
import { temporaryFolder } from '../platform.js';
import { TINY } from '../projections/models-world.js';
import { skipped, suite } from '../suite.js';
import { failure, never } from './forecaster-family.js';

const NETWORK = lastValuePlus({ added: [-1, 0, 1, -2, 0, 2], shape: [1, 2, 3] });
const sha256 = createHash('sha256').update(NETWORK).digest('hex');
const listing: FoundationListing = {
  ...TINY,
  ...{ sha256, maxContext: 8, maxHorizon: 2, quantiles: [0.1, 0.5, 0.9] },
  graph: {
    input: { name: 'x', type: 'float32', channel: false, length: null, missing: 'linear', pad: 'first' },
    output: { name: 'y', form: 'levels_last' },
    scaling: 'none',
  },
};

/** What several machines share: a folder here, GridFS where there is a server. */
const sharedFolder = (folder: string): SharedFiles => ({
  upload: async (name, path) => copyFileSync(path, join(folder, name)),
  async download(name, path) {
    if (!existsSync(join(folder, name))) return false;
    copyFileSync(join(folder, name), path);
    return true;
  },
  remove: async name => rmSync(join(folder, name), { force: true }),
  older: async () => [],
  clean: async () => undefined,
});

const suiteOver = (
  what: string,
  sharedIn: (folder: string) => { files: SharedFiles; close(): Promise<void> },
) =>
  suite(`files of imported models, ${what}`, test => {
    let folder: ReturnType<typeof temporaryFolder>;
    let shared: ReturnType<typeof sharedIn>;
    let file: string;
    test.before.each(() => {
      folder = temporaryFolder();
      mkdirSync(join(folder.path, 'shared'));
      shared = sharedIn(join(folder.path, 'shared'));
      file = join(folder.path, 'given.onnx');
      writeFileSync(file, NETWORK);
    });
    test.after.each(async () => {
      await shared.close();
      folder.remove();
    });
    const machine = (name: string, files: SharedFiles | null = shared.files) =>
      modelFiles(join(folder.path, name), files);

    test('a file is kept under its sha256, and read by another machine', async () => {
      const one = machine('one');
      const brought = await one.bring(file);
      assert.equal([brought.sha256, brought.bytes, brought.isNew], [sha256, NETWORK.length, true]);
      assert.is((await one.bring(file)).isNew, false);
      await one.keep(sha256);
      await one.keep(sha256);
      const other = machine('other');
      assert.is(await other.place(listing), 'extfm__other__tiny');
      assert.equal(readdirSync(other.folder).sort(), [`${sha256}.onnx`, 'extfm__other__tiny.json'].sort());
      assert.equal(readFileSync(join(other.folder, `${sha256}.onnx`)), NETWORK);
    });

    test('a copy that is damaged is fetched again', async () => {
      const one = machine('one');
      await one.bring(file);
      await one.keep(sha256);
      writeFileSync(join(one.folder, `${sha256}.onnx`), 'damaged');
      await machine('one').place(listing);
      assert.equal(readFileSync(join(one.folder, `${sha256}.onnx`)), NETWORK);
    });
  });

suiteOver('over a folder that is shared', folder => ({ files: sharedFolder(folder), close: async () => {} }));
const { MONGODB_URL: url } = process.env;
if (url)
  suiteOver('over MongoDB', () => {
    const database = newDatabase();
    const mongo = openMongo({ url, database, clock: Date.now });
    const close = async () => {
      await mongo.close();
      await dropDatabase(url, database);
    };
    return { files: mongo.modelFiles, close };
  });
else skipped('files of imported models, over MongoDB', 'no MONGODB_URL');

suite('files of imported models on one machine', test => {
  let folder: ReturnType<typeof temporaryFolder>;
  test.before.each(() => {
    folder = temporaryFolder();
    writeFileSync(join(folder.path, 'given.onnx'), NETWORK);
  });
  test.after.each(() => folder.remove());
  const files = () => modelFiles(join(folder.path, 'models'), null);
  const brought = async () => {
    const { path } = await files().bring(join(folder.path, 'given.onnx'));
    return path;
  };

  test('one that is missing, or another one, is never run; what to do is said', async () => {
    const path = await brought();
    writeFileSync(path, 'damaged');
    assert.match(
      (await failure(files().place(listing))).message,
      /other\/tiny, is missing or is not the one/,
    );
    rmSync(path);
    const opened = files();
    assert.match((await failure(opened.place(listing))).message, /import the same file again/);
    await brought();
    assert.is(await opened.place(listing), 'extfm__other__tiny');
  });

  test('one that is dropped leaves nothing', async () => {
    await brought();
    await files().drop(sha256);
    assert.equal(readdirSync(files().folder), []);
  });

  test('it forecasts as soon as it is placed, and not when its file changes under it', async () => {
    const path = await brought();
    const family = openFamily({ threads: 1, dir: files().folder, slugs: [] });
    assert.is(
      family.within('extfm__other__tiny', work => work()),
      null,
    );
    const slug = await files().place(listing);
    const series = [{ values: Float64Array.of(5, 10), period: 1 }];
    const [forecast] = await family.within(slug, work => work())!.forecast(series, 2, never);
    assert.equal([...forecast!.quantiles.values], [9, 10, 11, 8, 10, 12]);
    await family.close();
    writeFileSync(path, 'damaged');
    const again = openFamily({ threads: 1, dir: files().folder, slugs: [] });
    const error = await failure(again.within(slug, work => work())!.forecast(series, 2, never));
    assert.match(error.message, /has sha256/);
    await again.close();
  });
});
