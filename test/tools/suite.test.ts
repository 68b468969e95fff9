import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

const wrapper = new URL('../suite.js', import.meta.url).href;

/** Runs a file of tests with this body; answers whether it passed, and what it said. */
function ran(folder: string, body: string) {
  const file = join(folder, 'some.mjs');
  writeFileSync(file, `import { suite } from '${wrapper}';\nsuite('some', test => {\n${body}\n});`);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  return { passed: status === 0, said: stdout + stderr };
}

suite('a suite cannot pass by accident', test => {
  const folder = temporaryFolder();
  test.after(() => folder.remove());
  const rest = `test('the rest', () => {});`;

  test('all tests run', () => {
    const { passed, said } = ran(folder.path, rest + rest);
    assert.ok(passed && said.includes('(2 / 2)'), said);
  });
  const faults = {
    'an error whose details are no text': `Object.assign(new Error('odd'), { details: { a: 1 } })`,
    'what is no error': `'odd'`,
    'nothing at all': `undefined`,
  };
  for (const [what, thrown] of Object.entries(faults))
    test(`${what} fails its test, and the others run`, () => {
      const { passed, said } = ran(folder.path, `test('first', () => { throw ${thrown}; }); ${rest}`);
      assert.not(passed);
      assert.ok(said.includes('(1 / 2)') && said.includes('"first"'), said);
      const { passed: early } = ran(folder.path, `test.before.each(() => { throw ${thrown}; }); ${rest}`);
      assert.not(early);
    });
  for (const hook of ['before', 'after', 'after.each'])
    test(`a fault in ${hook} fails the run`, () => {
      const { passed, said } = ran(folder.path, `test.${hook}(() => { throw new Error('odd'); }); ${rest}`);
      assert.not(passed);
      assert.match(said, 'odd');
    });
  test('a test that waits for ever with nothing under way fails the run', () => {
    const { passed, said } = ran(folder.path, `test('first', () => new Promise(() => {})); ${rest}`);
    assert.not(passed);
    assert.match(said, 'before testing is finished');
  });
});
