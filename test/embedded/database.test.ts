import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../adapters/embedded/database.js';
import { embeddedKeyValue } from '../../adapters/embedded/key-value.js';
import { suite } from '../suite.js';
import { withFolder } from './child.js';

suite('embedded database', test => {
  test('too few and too many values are refused', () =>
    withFolder(async folder => {
      const db = openDatabase(join(folder, 'x.db'), 'FULL');
      db.exec('CREATE TABLE t (a, b)');
      const insert = db.prepare('INSERT INTO t VALUES (?, ?)');
      insert.run([1, 2]);
      assert.throws(() => insert.run([7]), /1 values for 2 parameters/);
      assert.throws(() => insert.run([7, 8, 9]), /3 values for 2 parameters/);
      assert.equal(db.prepare('SELECT a, b FROM t').rows([]), [[1, 2]]);
      db.close();
    }));

  test('a transaction that throws has changed nothing, and the next one works', () =>
    withFolder(async folder => {
      const db = openDatabase(join(folder, 'x.db'), 'FULL');
      db.exec('CREATE TABLE t (a)');
      const insert = db.prepare('INSERT INTO t VALUES (?)');
      const all = db.prepare('SELECT a FROM t');
      assert.throws(
        () =>
          db.transaction(() => {
            insert.run([1]);
            throw new Error('no');
          }),
        'no',
      );
      assert.equal(all.rows([]), []);
      assert.is(
        db.transaction(() => insert.run([2])),
        1,
      );
      assert.equal(all.rows([]), [[2]]);
      db.close();
    }));

  test('durability is as asked for, and a closed file is whole by itself', () =>
    withFolder(async folder => {
      for (const [name, synchronous, level] of [
        ['full.db', 'FULL', 2],
        ['normal.db', 'NORMAL', 1],
      ] as const) {
        const file = join(folder, name);
        const db = openDatabase(file, synchronous);
        assert.equal(db.prepare('PRAGMA synchronous').rows([]), [[level]]);
        assert.equal(db.prepare('PRAGMA journal_mode').rows([]), [['wal']]);
        db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
        db.close();
        const left = readdirSync(folder).filter(other => other === `${name}-wal`);
        assert.ok(left.every(other => statSync(join(folder, other)).size === 0));
      }
    }));

  test('expired entries are swept, and the versions go on', () =>
    withFolder(async folder => {
      const file = join(folder, 'keys.db');
      const first = embeddedKeyValue(file, () => 1_000);
      await first.set('kept', 'x', 0, null);
      for (let i = 1; i < 512; i++) assert.is(await first.set(`k${i}`, i, 0, 999), i + 1);
      await first.close();
      const db = new Libsql(file);
      const [{ entries }] = db.prepare('SELECT count(*) AS entries FROM entries').all([]) as [
        { entries: number },
      ];
      db.close();
      assert.is(entries, 2, 'the one that lives, and the one that carries the highest version');
      const again = embeddedKeyValue(file, () => 1_000);
      assert.is((await again.get('kept'))!.value, 'x');
      assert.is(await again.set('k1', 1, 0, null), 513);
      await again.close();
    }));
});
