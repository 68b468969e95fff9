import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { endings } from '../adapters/endings.js';
import { BadConfiguration, readConfig, type Config } from '../config.js';
import { openPlatform, processRoles } from '../main.js';
import { temporaryFolder } from './platform.js';
import { suite } from './suite.js';

/** A log that remembers what was wrong. */
function rememberingLog() {
  const wrong: string[] = [];
  const note = (_: object, message: string): void => void wrong.push(message);
  return { wrong, log: { info() {}, warn: note, error: note } };
}

/** An area that reads this setting fails, the first time or a later one. */
function without(name: keyof Config, config: Config, reads = 0): Config {
  let left = reads;
  return Object.defineProperty({ ...config }, name, {
    get() {
      if (left-- > 0) return config[name];
      throw new Error(`no ${name} today`);
    },
  });
}

suite('opening the platform', test => {
  const failures: [string, keyof Config, number][] = [
    ['before an area is open', 'CELLS', 0],
    ['in an area that has opened its scorer', 'SCORER_THREADS', 1],
  ];
  for (const [where, name, reads] of failures)
    test(`what fails ${where} leaves nothing open and nothing running`, async () => {
      const folder = temporaryFolder();
      const config = readConfig({ DATA_DIR: folder.path });
      const first = rememberingLog();
      const opening = { log: first.log, running: processRoles, owner: 'a test' };
      try {
        await openPlatform({ ...opening, config: without(name, config, reads) });
        assert.unreachable('it opened');
      } catch (error) {
        assert.match(String(error), `no ${name} today`);
      }
      const second = rememberingLog();
      const platform = await openPlatform({ ...opening, log: second.log, config });
      await platform.visible(await platform.stores.events.head());
      await platform.stop();
      folder.remove();
      assert.equal([first.wrong, second.wrong], [[], []]);
    });

  test('networks that are none are refused by the setting that names them', async () => {
    const folder = temporaryFolder();
    const config = readConfig({ DATA_DIR: folder.path, OUTGOING_ALLOW: '127.0.0.1,10.0.0.0/99' });
    try {
      await openPlatform({ config, log: rememberingLog().log, running: processRoles, owner: 'a test' });
      assert.unreachable('it opened');
    } catch (error) {
      assert.instance(error, BadConfiguration);
      assert.match(String(error), 'OUTGOING_ALLOW is not possible: 10.0.0.0/99 is no network');
    }
    folder.remove();
  });

  test('a process in which it failed ends by itself', async () => {
    const folder = temporaryFolder();
    const dist = new URL('../', import.meta.url).href;
    const script = `
      const { openPlatform, processRoles } = await import('${dist}main.js');
      const { readConfig } = await import('${dist}config.js');
      const config = { ...readConfig({ DATA_DIR: ${JSON.stringify(folder.path)} }) };
      let threads = 0;
      Object.defineProperty(config, 'SCORER_THREADS', {
        get() {
          if (threads++ === 0) return 1;
          throw new Error('no threads today');
        },
      });
      const log = { info() {}, warn: (_, said) => console.log(said), error: (_, said) => console.log(said) };
      await openPlatform({ config, log, running: processRoles, owner: 'a test' })
        .catch(error => console.log(error.message));`;
    const file = join(folder.path, 'opening.mjs');
    writeFileSync(file, script);
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const [code] = (await once(child, 'close')) as [number];
    folder.remove();
    assert.equal([code, said], [0, 'no threads today\n']);
  });
});

suite('endings', test => {
  test('the last begun ends first; one that fails keeps no other from it, and is thrown', async () => {
    const { keep, end } = endings();
    const ended: string[] = [];
    for (const name of ['a', 'b', 'c'])
      keep({
        async close() {
          ended.push(name);
          if (name === 'b') throw new Error('b would not end');
        },
      });
    try {
      await end();
      assert.unreachable('it ended well');
    } catch (error) {
      assert.match(String(error), /b would not end/);
    }
    assert.equal(ended, ['c', 'b', 'a']);
    await end();
    assert.equal(ended, ['c', 'b', 'a']);
  });
});
