import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../platform.js';
import { randomOf } from '../random.js';
import { suite } from '../suite.js';
import { makeFolders, type Folders } from './folders.js';
import type { Look } from './look.js';

/**
 * Every file of a data folder, damaged in every way: the start is right, or refused by name, or the doctor
 * and a comparison find it. `DAMAGED_PLACES=20` flips so many bytes of each file; `DAMAGED_SHOWN=1` shows
 * what came of each.
 */
const PLACES = Number(process.env['DAMAGED_PLACES'] ?? 1);
const FILES = ['facts.db', 'vault.db', 'models.db', 'state.db', 'secret.key'];
const LOGS = ['facts.db-wal', 'vault.db-wal', 'models.db-wal', 'state.db-wal'];
const script = fileURLToPath(new URL('./look-process.js', import.meta.url));

suite('a damaged data folder', test => {
  const root = temporaryFolder();
  const folder = join(root.path, 'damaged');
  let folders: Folders;
  let expected: { facts: string; reads: string };
  let child: ChildProcess | null = null;
  test.after(() => {
    child?.kill('SIGKILL');
    root.remove();
  });

  const look = async (): Promise<Look> => {
    child ??= fork(script, { serialization: 'advanced' });
    const asked = child.setMaxListeners(0);
    asked.send({ folder, who: folders.who, expected: expected ?? null });
    const ended = once(asked, 'exit').then(([code, signal]) => {
      child = null;
      throw new Error(`the process ended: ${code ?? signal}`);
    });
    const answered = once(asked, 'message').then(
      ([message]) => message as Look | { end: 'failed'; message: string },
    );
    ended.catch(() => undefined);
    const found = await Promise.race([answered, ended]);
    if (found.end === 'failed') throw new Error(found.message);
    return found;
  };
  const put = (base: 'whole' | 'killed'): void => {
    rmSync(folder, { recursive: true, force: true });
    cpSync(folders[base], folder, { recursive: true });
  };
  const at = (name: string) => join(folder, name);

  test.before(async () => {
    folders = await makeFolders(root.path);
    for (const base of ['whole', 'killed'] as const) {
      put(base);
      const found = await look();
      assert.is(found.end, 'started', JSON.stringify(found));
      if (found.end !== 'started') return;
      assert.equal(found.found ?? [], []);
      if (base === 'whole') expected = { facts: found.facts, reads: found.reads };
      assert.equal({ facts: found.facts, reads: found.reads }, expected);
    }
  });

  /** Right, refused by name and remedy, or found. */
  const judge = async (damage: string, names: readonly string[]): Promise<void> => {
    const found = await look().catch((error: unknown) => error as Error);
    const shown = JSON.stringify(found instanceof Error ? found.message : found).slice(0, 700);
    if (process.env['DAMAGED_SHOWN']) console.log(`${damage}: ${shown}`);
    if (found instanceof Error) assert.unreachable(`${damage}: ${shown}`);
    else if (found.end === 'refused') {
      assert.is(found.code, 2, `${damage}: ${shown}`);
      const named = names.some(name => found.message.includes(name.replace('-wal', '')));
      assert.ok(named, `${damage} is refused without the name: ${shown}`);
      assert.match(found.message, /put .*back|presage replay|presage vault forget/, damage);
    } else {
      const right = found.facts === expected.facts && found.reads === expected.reads;
      assert.ok(right || found.found!.length > 0, `${damage} is silent: ${shown}`);
    }
  };

  const ways: Readonly<Record<string, (file: string, name: string) => void>> = {
    lost: file => rmSync(file),
    empty: file => truncateSync(file, 0),
    halved: file => truncateSync(file, readFileSync(file).length >> 1),
    older: (file, name) => cpSync(join(folders.older, name), file),
    foreign: (file, name) => cpSync(join(folders.other, name), file),
  };
  for (const name of FILES)
    test(`${name} lost, empty, cut in half, older, of another installation`, async () => {
      for (const [way, damage] of Object.entries(ways)) {
        put('whole');
        damage(at(name), name);
        await judge(`${name} ${way}`, [name, 'facts.db', 'secret.key', 'vault.db']);
      }
    });

  for (const name of LOGS)
    test(`${name} lost, empty, cut in half after a kill`, async () => {
      for (const way of ['lost', 'empty', 'halved']) {
        put('killed');
        if (!existsSync(at(name))) continue;
        ways[way]!(at(name), name);
        await judge(`${name} ${way}`, [name, 'facts.db', 'vault.db']);
      }
    });

  test('each pair of files swapped', async () => {
    for (const [i, one] of FILES.entries())
      for (const two of FILES.slice(i + 1)) {
        put('whole');
        renameSync(at(one), at('between'));
        renameSync(at(two), at(one));
        renameSync(at('between'), at(two));
        await judge(`${one} and ${two} swapped`, [one, two]);
      }
  });

  for (const [base, names] of [
    ['whole', FILES],
    ['killed', LOGS],
  ] as const)
    for (const name of names)
      test(`${name} with a byte flipped`, async () => {
        const { below } = randomOf(20_261_123);
        for (let i = 0; i < PLACES; i++) {
          put(base);
          if (!existsSync(at(name))) continue;
          const bytes = readFileSync(at(name));
          const used = [...bytes.keys()].filter(place => bytes[place] !== 0);
          if (used.length === 0) continue;
          const place = used[below(used.length)]!;
          bytes[place]! ^= 1 + below(255);
          writeFileSync(at(name), bytes);
          await judge(`${name} flipped at ${place}`, [name, 'facts.db', 'vault.db', 'secret.key']);
        }
      });
});
