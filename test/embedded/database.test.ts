import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../adapters/embedded/database.js';
import { embeddedKeyValue } from '../../adapters/embedded/key-value.js';
import { suite } from '../suite.js';
import { withFolder } from './child.js';

suite('embedded database', test => {
  test('too few and too many values are refused', () => withFolder(async folder => {
    const db = openDatabase(join(folder, 'x.db'), 'FULL');
    db.exec('CREATE TABLE t (a, b)');
    const insert = db.prepare('INSERT INTO t VALUES (?, ?)');
    insert.run([1, 2]);
    assert.throws(() => insert.run([7]), /1 values for 2 parameters/);
    assert.throws(() => insert.run([7, 8, 9]), /3 values for 2 parameters/);
    assert.equal(db.prepare('SELECT a, b FROM t').rows([]), [[1, 2]]);
    db.close();
  }));

  test('a transaction that throws has changed nothing, and the next one works', () => withFolder(async folder => {
    const db = openDatabase(join(folder, 'x.db'), 'FULL');
    db.exec('CREATE TABLE t (a)');
    const insert = db.prepare('INSERT INTO t VALUES (?)'), all = db.prepare('SELECT a FROM t');
    assert.throws(() => db.transaction(() => { insert.run([1]); throw new Error('no'); }), 'no');
    assert.equal(all.rows([]), []);
    assert.is(db.transaction(() => insert.run([2])), 1);
    assert.equal(all.rows([]), [[2]]);
    db.close();
  }));

  test('durability is as asked for, and a closed file is whole by itself', () => withFolder(async folder => {
    for (const [name, synchronous, level] of [['full.db', 'FULL', 2], ['normal.db', 'NORMAL', 1]] as const) {
      const file = join(folder, name), db = openDatabase(file, synchronous);
      assert.equal(db.prepare('PRAGMA synchronous').rows([]), [[level]]);
      assert.equal(db.prepare('PRAGMA journal_mode').rows([]), [['wal']]);
      db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
      db.close();
      const left = readdirSync(folder).filter(other => other === `${name}-wal`);
      assert.ok(left.every(other => statSync(join(folder, other)).size === 0));
    }
  }));

  test('expired entries are swept, and the versions go on', () => withFolder(async folder => {
    const file = join(folder, 'keys.db');
    let now = 1_000;
    const first = embeddedKeyValue(file, () => now);
    for (let i = 0; i < 600; i++) await first.set(`k${i}`, i, 0, now += 1);
    const kept = await first.set('kept', 1, 0, null);
    await first.close();
    const db = new Libsql(file);
    const [{ entries }] = db.prepare('SELECT count(*) AS entries FROM entries').all([]) as [{ entries: number }];
    db.close();
    assert.ok(entries < 300, `${entries} entries are left`);
    const again = embeddedKeyValue(file, () => now);
    assert.is(await again.set('k0', 1, 0, null), kept! + 1);
    await again.close();
  }));
});
