import { randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { vaultOn, WrongSecret, type WrappedKeys } from '../../adapters/vault/vault.js';
import { suite } from '../suite.js';
import type { Opened } from './opened.js';

/** What every store of wrapped keys must do, under the vault that uses it. */
export const vaultContract = (name: string, open: () => Promise<Opened<WrappedKeys>>): void =>
  suite(`vault contract: ${name}`, test => {
    let opened: Opened<WrappedKeys>;
    const secret = randomBytes(32);
    test.before.each(async () => {
      opened = await open();
    });
    test.after.each(async () => {
      await opened.close();
    });

    test('a key is made once and then the same', async () => {
      const vault = vaultOn(opened.store, [secret]);
      assert.is(await vault.known('usr_1'), null);
      const key = await vault.key('usr_1');
      assert.is(key!.length, 32);
      assert.equal(await vault.key('usr_1'), key);
      assert.equal(await vault.known('usr_1'), key);
      assert.not.equal(await vault.key('usr_2'), key);
    });

    test('many who ask at once get the same one', async () => {
      const vault = vaultOn(opened.store, [secret]);
      const keys = await Promise.all(Array.from({ length: 16 }, () => vault.key('usr_1')));
      assert.is(new Set(keys.map(key => Buffer.from(key!).toString('hex'))).size, 1);
    });

    test('a key that was thrown away never comes back', async () => {
      const vault = vaultOn(opened.store, [secret]);
      await vault.key('usr_1');
      await vault.destroy('usr_1');
      assert.is(await vault.known('usr_1'), null);
      assert.is(await vault.key('usr_1'), null);
      await vault.destroy('usr_never');
      assert.is(await vault.key('usr_never'), null);
    });

    test('nor does one that was retired, and others stay', async () => {
      const vault = vaultOn(opened.store, [secret]);
      const other = await vault.key('usr_2');
      await vault.key('usr_1');
      await vault.retire('usr_1');
      await vault.retire('usr_1');
      assert.equal([await vault.known('usr_1'), await vault.key('usr_1')], [null, null]);
      await vault.retire('usr_never');
      assert.is(await vault.key('usr_never'), null);
      assert.equal(await vault.known('usr_2'), other);
    });

    test('a new secret opens what an old one wrapped, while that is still at hand', async () => {
      const key = await vaultOn(opened.store, [secret]).key('usr_1');
      const newer = randomBytes(32);
      assert.equal(await vaultOn(opened.store, [newer, secret]).key('usr_1'), key);
      try {
        await vaultOn(opened.store, [newer]).key('usr_1');
        assert.unreachable();
      } catch (error) {
        assert.instance(error, WrongSecret);
      }
    });

    test('keys stay when the store is opened again', async () => {
      if (!opened.reopen) return;
      const key = await vaultOn(opened.store, [secret]).key('usr_1');
      assert.equal(await vaultOn(await opened.reopen(), [secret]).key('usr_1'), key);
    });
  });
