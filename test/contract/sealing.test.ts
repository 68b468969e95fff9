import { randomBytes, randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { sealing } from '../../adapters/sealing.js';
import { memoryKeys } from '../../adapters/vault/memory.js';
import { vaultOn } from '../../adapters/vault/vault.js';
import { START, type NewFact } from '../../domain/fact.js';
import { meta } from '../spec.js';
import { suite } from '../suite.js';
import { eventStoreContract } from './event-store.js';

const setting = () => {
  const bare = memoryEventStore();
  const vault = vaultOn(memoryKeys(), [randomBytes(32)]);
  return { bare, vault, store: sealing(bare, vault) };
};
const registered = (uid: string, email: string): NewFact => ({
  type: 'UserRegistered',
  data: { uid, homeCell: 'local', personal: { of: uid, email } },
  id: randomUUID(),
  at: 1,
  meta,
});

eventStoreContract('memory, with personal data sealed', async () => ({
  store: setting().store,
  close: async () => {},
}));

suite('personal data in facts', test => {
  test('is sealed in the store and open to those who read through the seal', async () => {
    const { bare, store } = setting();
    const fact = registered('usr_1', 'ada@example.org');
    await store.append('user-usr_1', START, [fact]);
    assert.equal((await store.read('user-usr_1'))[0]!.data, fact.data);
    assert.equal((await store.page(START, 10))[0]!.data, fact.data);
    const stored = JSON.stringify(await bare.read('user-usr_1'));
    assert.not.match(stored, /ada|example/);
    assert.match(stored, /"homeCell":"local"/);
  });

  test('is gone when the key is thrown away, and only that', async () => {
    const { store, vault } = setting();
    await store.append('user-usr_1', START, [registered('usr_1', 'ada@example.org')]);
    await store.append('user-usr_2', START, [registered('usr_2', 'bob@example.org')]);
    await vault.destroy('usr_1');
    const [one, two] = await store.page(START, 10);
    assert.equal(one!.data, { uid: 'usr_1', homeCell: 'local', personal: null });
    assert.is((two!.data as { personal: { email: string } }).personal.email, 'bob@example.org');
    try {
      await store.append('user-usr_1', 0, [registered('usr_1', 'again@example.org')]);
      assert.unreachable();
    } catch (error) {
      assert.match((error as Error).message, /thrown away/);
    }
  });

  test('cannot be moved to another fact or changed', async () => {
    const { bare, store } = setting();
    await store.append('user-usr_1', START, [registered('usr_1', 'ada@example.org')]);
    const [fact] = await bare.read('user-usr_1');
    const data = fact!.data as { sealed: { of: string; text: string } };
    const forge = async (journal: string, sealed: object) => {
      await bare.append(journal, START, [{ ...registered('usr_1', ''), data: { ...data, sealed } }]);
      try {
        await store.read(journal);
        assert.unreachable();
      } catch (error) {
        assert.not.match((error as Error).message, /unreachable/);
      }
    };
    await forge('user-moved', data.sealed);
    await forge('user-changed', {
      ...data.sealed,
      text: data.sealed.text.replace(/.$/, c => (c === 'A' ? 'B' : 'A')),
    });
  });
});
