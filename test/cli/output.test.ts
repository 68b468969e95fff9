import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { startPlatform } from '../platform.js';
import { suite } from '../suite.js';
import { dataFolder, endAll, presage } from './presage.js';

const entry = fileURLToPath(new URL('../../cli/presage.js', import.meta.url));
const run = promisify(execFile);

suite('what commands say', test => {
  test.after(endAll);
  const DATA_DIR = dataFolder();
  test.before(async () => {
    await (await startPlatform(DATA_DIR, { running: ['projections'] })).stop();
  });

  test('what cannot be written is a fault, on a full disk for one', async () => {
    const options = { env: { ...process.env, DATA_DIR } };
    const ends = (args: string) =>
      run('sh', ['-c', `"${process.execPath}" "${entry}" ${args} > /dev/full; echo $?`], options);
    for (const args of ['audit', 'audit --ndjson', 'doctor']) {
      const { stdout, stderr } = await ends(args);
      assert.is(stdout, '1\n', args);
      assert.is(stderr.match(/presage: ENOSPC/g)?.length, 1, args);
    }
  });

  test('doctor warns of a setting that is misspelt', async () => {
    const { code, stdout } = await presage(['doctor'], { DATA_DIR, VISIBLE_WITIN_MS: '5' });
    assert.is(code, 0);
    assert.match(
      stdout,
      /warning +configuration +VISIBLE_WITIN_MS is no setting\n +-> set VISIBLE_WITHIN_MS/,
    );
  });

  test('--version: of the program, and the commit', async () => {
    const { code, stdout } = await presage(['--version'], {});
    assert.is(code, 0);
    assert.match(stdout, /^presage \d+\.\d+\.\d+ \(commit \S+\)\n$/);
  });
});
