import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder, type Running } from './platform.js';
import { suite } from './suite.js';

const ADDRESS = 'http://127.0.0.1:8080';
const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (page: string): string => readFileSync(root + page, 'utf8');

const blocksOf = (page: string): string[] =>
  Array.from(read(page).matchAll(/```sh\n([\s\S]*?)```/g), ([, block]) => block!);
/** The calls of a page, as they would be pasted into a shell one after the other. */
const callsOf = (page: string): string =>
  blocksOf(page)
    .filter(block => block.includes('curl'))
    .join('\n');
/** What other pages go on from: the README's first block of calls. Its goal takes as long as all the rest. */
const begun = (): string => blocksOf('README.md').find(block => block.includes('curl'))!;

suite('the tours', test => {
  let folder: ReturnType<typeof temporaryFolder>;
  let api: Running;
  test.before.each(async () => {
    folder = temporaryFolder();
    api = await startPlatform(folder.path);
  });
  test.after.each(async () => {
    await api.stop();
    folder.remove();
  });

  /** What a shell answers that stops at the first call which fails. */
  async function pasted(calls: string): Promise<string> {
    const script = calls.replaceAll(ADDRESS, api.base).replaceAll('curl -sS', 'curl -sS --fail-with-body');
    const { token, workspaceId } = api.installed;
    const env = { ...process.env, TOKEN: token, WORKSPACE: workspaceId };
    const shell = ['-euo', 'pipefail', '-c', script];
    const { stdout } = await promisify(execFile)('bash', shell, { env, cwd: root, maxBuffer: 2 ** 24 });
    return stdout;
  }

  test('what the README says comes out', async () => {
    const said = await pasted(callsOf('README.md'));
    assert.match(said, /"status":"pending"/);
    assert.match(said, /"event_id":"evt_\w+","name":"Strike.*"sentiment":"negative".*"importance":0\.7[01]/);
    assert.match(said, /"best_lag":2\b/);
    assert.match(said, /"accepted":1,"duplicates":0[\s\S]*"accepted":0,"duplicates":1/);
    assert.match(said, /"deployment_type":"foundation"/);
    assert.match(said, /"ts":"1960-12-01T00:00:00.000Z"/);
    const score = Number(/"graded":true,"score":([\d.]+)/.exec(said)?.[1]);
    assert.is(score.toFixed(2), '0.54');
    assert.match(said, /"status":"active".*"edges":{"validated":1,/);
    assert.match(said, /"trigger":"activation"/);
    const answer = /^# "(shop.*)"$/m.exec(read('README.md'))?.[1];
    assert.ok(said.includes(`"answer":"${answer}"`), answer);
  });

  test('a delivery by hand comes in', async () => {
    assert.match(await pasted(callsOf('docs/ingestion.md')), /"kind":"events","accepted":1,"duplicates":0/);
  });

  test("a model of one's own is trained, approved and asked", async () => {
    const said = await pasted(`${begun()}\n${callsOf('docs/first-model.md')}`);
    assert.match(said, /"cycle_credits":1/);
    assert.match(said, /"decision":"approve"/);
    assert.match(said, /fold 4: 6 steps ahead, which the training did not see\n/);
    assert.match(said, /"training_id":"trn_\w+","segment_version"/);
  });

  test('the longer tour goes on from there', async () => {
    const said = await pasted(`${callsOf('README.md')}\n${callsOf('docs/tour.md')}`);
    assert.match(said, /"scheduled":true/);
    assert.match(said, /"identical":true/);
    assert.match(said, /"cutoff":"1959-12-01/);
    assert.match(said, /"anomalies":/);
    const delta = /"total_delta":([\d.]+)/.exec(said)?.[1];
    assert.is((Number(delta) / 5).toFixed(1), '2.8');
    assert.match(said, /"kind":"alert.created"/);
    assert.match(said, /"openapi":"3\.2/);
  });
});
