import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { FolderInUse, lockFolder, type Owner } from '../../adapters/embedded/lock.js';
import { eventually } from '../contract/opened.js';
import { suite } from '../suite.js';
import { child, kill, withFolder } from './child.js';

const owner: Owner = { command: 'presage serve', pid: 4711, since: '2026-11-21T12:00:00.000Z' };

const holder = (folder: string) =>
  child(`
  const { lockFolder } = await import(adapter('lock'));
  const since = '2026-11-21T13:00:00.000Z';
  lockFolder(${JSON.stringify(folder)}, { command: 'presage replay', pid: process.pid, since });
  console.log('locked');
  setInterval(() => {}, 1000);`);

const refusal = (folder: string): Error => {
  try {
    lockFolder(folder, owner);
  } catch (error) {
    return error as Error;
  }
  throw new Error('the folder could be locked');
};

suite('embedded: one process for a data folder', test => {
  test('a second one in the same process is refused by name, until the first gives it back', () =>
    withFolder(async root => {
      const folder = join(root, 'made', 'here');
      const unlock = lockFolder(folder, owner);
      const who = 'presage serve (process 4711, since 2026-11-21T12:00:00.000Z)';
      assert.is(refusal(folder).message, `data folder ${folder} is in use by ${who}`);
      assert.instance(refusal(folder), FolderInUse);
      unlock();
      lockFolder(folder, owner)();
    }));

  test('a lock file that is no database is refused by name, with what to do', () =>
    withFolder(async folder => {
      writeFileSync(join(folder, 'lock.db'), 'no lock was ever here'.repeat(100));
      assert.match(refusal(folder).message, /lock\.db is damaged \(.*\): delete it; it holds nothing/);
    }));

  test('another process is refused by name, and kill -9 of the holder leaves nothing behind', () =>
    withFolder(async folder => {
      const process = holder(folder);
      try {
        await eventually('the other process has the lock', () => process.lines.includes('locked'));
        const who = `presage replay (process ${process.pid}, since 2026-11-21T13:00:00.000Z)`;
        assert.is(refusal(folder).message, `data folder ${folder} is in use by ${who}`);
      } finally {
        await kill(process);
      }
      const unlock = lockFolder(folder, owner);
      assert.match(refusal(folder).message, /presage serve \(process 4711/);
      unlock();
    }));

  test('a broken owner file is only a missing name', () =>
    withFolder(async folder => {
      const unlock = lockFolder(folder, owner);
      writeFileSync(join(folder, 'owner.json'), '{');
      assert.is(refusal(folder).message, `data folder ${folder} is in use by another process`);
      unlock();
      lockFolder(folder, owner)();
    }));

  test('a folder that cannot be written is said to be so', () =>
    withFolder(async root => {
      const file = join(root, 'file');
      writeFileSync(file, '');
      const folder = join(file, 'data');
      assert.ok(refusal(folder).message.startsWith(`data folder ${folder} cannot be written: ENOTDIR`));
      assert.not(refusal(folder) instanceof FolderInUse);
    }));

  test('a folder is made with those above it; where none can be made, that is said', () =>
    withFolder(async root => {
      const deep = join(root, 'a', 'b', 'data');
      lockFolder(deep, owner)();
      assert.is(statSync(deep).mode & 0o777, 0o700);
      if (!existsSync('/proc/self')) return;
      // Each folder made there is ENOENT, and one by one to be made: this hung
      for (const nowhere of ['/proc/none', '/proc/none/data'])
        assert.match(refusal(nowhere).message, `data folder ${nowhere} cannot be written: ENOENT`);
    }));
});
