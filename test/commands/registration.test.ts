import { randomBytes, randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryEventStore } from '../../adapters/memory.js';
import { sealing } from '../../adapters/sealing.js';
import { memoryKeys } from '../../adapters/vault/memory.js';
import { vaultOn } from '../../adapters/vault/vault.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { registering } from '../../commands/registration.js';
import { START } from '../../domain/fact.js';
import { Rejected } from '../../domain/rejected.js';
import { users } from '../../domain/users/decider.js';
import { suite } from '../suite.js';

const context: Context = {
  workspace: null,
  actor: 'operator',
  request: null,
  correlation: 'c',
  causation: null,
  at: 1,
};
class Killed extends Error {}

/**
 * Registration over a log that dies at the `left`-th append, and lets nobody be registered before
 * `registering`, if it is told to.
 */
function world() {
  const bare = memoryEventStore();
  const keys = memoryKeys();
  const secret = randomBytes(32);
  const vault = vaultOn(keys, [secret]);
  const life = { left: Number.POSITIVE_INFINITY, registering: null as Promise<void> | null, waiting: false };
  const log = sealing(bare, vault);
  const mortal: EventStore = {
    ...log,
    async append(...given) {
      if (life.left-- <= 0) throw new Killed();
      // Others have their turn between what is read and what is written
      await new Promise(setImmediate);
      if (life.registering && given[2].some(({ type }) => type === 'UserRegistered')) {
        life.waiting = true;
        await life.registering;
      }
      return log.append(...given);
    },
  };
  const handle = handler(mortal, randomUUID);
  const load = loader(mortal);
  const on = (secrets: Uint8Array[]) =>
    registering({ handle, load, vault: vaultOn(keys, secrets), cell: 'here' });
  const register = on([secret]);
  let made = 0;
  const newUid = () => `usr_${made++}`;
  const outcome = async (email: string, uid = newUid()): Promise<string> => {
    try {
      await register({ uid, email, name: 'N' }, context);
      return uid;
    } catch (error) {
      if (error instanceof Rejected) return error.code;
      throw error;
    }
  };
  return {
    bare,
    life,
    handle,
    on,
    secret,
    outcome,
    newUid,
    statusOf: async (uid: string) => (await load(users, uid)).status,
    erase: (uid: string) => handle(users, { type: 'EraseUser', data: { uid } }, context),
  };
}

suite('registration', test => {
  test("an address is one user's, however it is written", async () => {
    const w = world();
    assert.is(await w.outcome('Ann@Example.org'), 'usr_0');
    assert.is(await w.outcome(' ann@example.ORG'), 'email_taken');
    assert.is(await w.outcome('bob@example.org'), 'usr_2');
    assert.is(await w.outcome('ann@example.org', 'usr_0'), 'usr_0', 'the same again is nothing new');
    assert.equal([await w.statusOf('usr_0'), await w.statusOf('usr_1')], ['active', 'none']);
  });

  test('until they are erased', async () => {
    const w = world();
    await w.outcome('ann@example.org');
    await w.erase('usr_0');
    assert.is(await w.outcome('ann@example.org'), 'usr_1');
    assert.is(await w.outcome('ann@example.org'), 'email_taken');
  });

  test('of many at once one gets it', async () => {
    for (let round = 0; round < 50; round++) {
      const w = world();
      if (round % 2) {
        await w.outcome('ann@example.org');
        await w.erase('usr_0');
      }
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, async (_, n) => {
          for (let i = 0; i < (n * round) % 5; i++) await new Promise(setImmediate);
          return w.outcome('ann@example.org');
        }),
      );
      const winners = outcomes.filter(uid => uid !== 'email_taken');
      assert.is(winners.length, 1, `round ${round}: ${outcomes.join()}`);
      const statuses = await Promise.all(Array.from({ length: 7 }, (_, n) => w.statusOf(`usr_${n}`)));
      assert.is(statuses.filter(status => status === 'active').length, 1);
      assert.is(await w.statusOf(winners[0]!), 'active');
    }
  });

  test('a crash at any write leaves the address to the next, and nobody comes late', async () => {
    for (let left = 0; left < 2; left++) {
      const w = world();
      w.life.left = left;
      try {
        await w.outcome('ann@example.org');
        assert.unreachable();
      } catch (error) {
        assert.instance(error, Killed);
      }
      w.life.left = Number.POSITIVE_INFINITY;
      assert.is(await w.outcome('ann@example.org'), 'usr_1');
      assert.is(await w.outcome('ann@example.org', 'usr_0'), 'email_taken');
      assert.is(await w.statusOf('usr_1'), 'active');
      assert.not.equal(await w.statusOf('usr_0'), 'active');
    }
  });

  test('whoever is slow to come after the claim, and was taken for lost, is told so', async () => {
    const w = world();
    let come = () => {};
    w.life.registering = new Promise(resolve => {
      come = resolve;
    });
    const slow = w.outcome('ann@example.org');
    while (!w.life.waiting) await new Promise(setImmediate);
    w.life.registering = null;
    assert.is(await w.outcome('ann@example.org'), 'usr_1');
    come();
    assert.is(await slow, 'email_taken');
    assert.equal([await w.statusOf('usr_0'), await w.statusOf('usr_1')], ['erased', 'active']);
  });

  test('no address is in the log, nor to be guessed from it without the secret', async () => {
    const w = world();
    await w.outcome('ann@example.org');
    const text = JSON.stringify(await w.bare.page(START, 100));
    assert.not.match(text, /ann|example/i);
    const journals = (await w.bare.page(START, 100)).map(({ journal }) => journal);
    assert.match(journals[0]!, /^email-[0-9a-f]{64}$/);
    const other = world();
    await other.outcome('ann@example.org');
    assert.not.equal(
      (await other.bare.page(START, 1))[0]!.journal,
      journals[0],
      'another platform, another hash',
    );
  });

  test('a new secret changes nothing', async () => {
    const w = world();
    await w.outcome('ann@example.org');
    const renewed = w.on([randomBytes(32), w.secret]);
    try {
      await renewed({ uid: w.newUid(), email: 'ann@example.org', name: 'N' }, context);
      assert.unreachable();
    } catch (error) {
      assert.is((error as Rejected).code, 'email_taken');
    }
  });
});
