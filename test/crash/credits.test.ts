import * as assert from 'uvu/assert';
import { eventStoreDb } from '../../adapters/eventstoredb/event-store.js';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { availableIn } from '../../domain/billing/account.js';
import type { Price, Reference } from '../../domain/billing/credits.js';
import type { LedgerFact } from '../../domain/billing/facts.js';
import type { Fact } from '../../domain/fact.js';
import { Rejected } from '../../domain/rejected.js';
import { LONG } from '../contract/on-node.js';
import { startNode } from '../eventstore-node/node.js';
import { randomOf, seedFrom, type Random } from '../random.js';
import { suite } from '../suite.js';
import { CreditsLife, ORGANIZATION } from './credits.js';
import { embeddedDisk, Killed, memoryDisk, type Disk } from './deaths.js';

const WRITERS = 64;
/** Work of each writer, all in all. */
const WORKS = Number(process.env['CREDITS_WORKS'] ?? 40);
/** `CREDITS_WORKS=400 CREDITS_DEATHS=250` for a long run; `CREDITS_SEED` to see one again. */
const DEATHS = Number(process.env['CREDITS_DEATHS'] ?? 25);

const price = (amount: number): Price => ({ item: 'i', quantity: 1, rate: '1', ratesVersion: '1', amount });
const reference = (id: string): Reference => ({ type: 'inference', id });

/** What is known of all work, by those who did it. */
class Seen {
  refused = 0;
  granted = 0;
  cutShort = 0;
  /** What work costs that was held for, as far as it was told. */
  readonly held = new Map<string, number>();
}

/** Does its works one after the other, each once, whatever became of it; ends with its process. */
async function writer(life: CreditsLife, random: Random, works: string[], seen: Seen): Promise<void> {
  for (let id = works.pop(); id !== undefined; id = works.pop())
    try {
      await doWork(life, random, id, seen);
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      seen.cutShort++;
      return;
    }
}

async function doWork(life: CreditsLife, random: Random, id: string, seen: Seen): Promise<void> {
  const ledger = () => random.pick(life.processes);
  if (random.chance(0.15)) {
    const grant = { amount: random.below(1_000), reason: 'operator', note: id, period: null } as const;
    await ledger().grant(ORGANIZATION, grant, life.context());
    seen.granted++;
  }
  const amount = 1 + random.below(400);
  const work = { price: price(amount), reference: reference(id), pipelineId: null };
  try {
    await ledger().hold(ORGANIZATION, work, life.context());
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    assert.is(error.code, 'insufficient_credits');
    seen.refused++;
    return;
  }
  seen.held.set(id, amount);
  const fate = random.next();
  // Nobody ends it: it is found later
  if (fate < 0.1) return;
  const failed = fate < 0.3;
  life.works.set(id, failed ? 'failed' : 'completed');
  if (failed) await ledger().release(ORGANIZATION, reference(id), 'failed', life.context());
  else await ledger().charge(ORGANIZATION, reference(id), null, life.context());
}

/** Holds the facts of a ledger to the plainest reading of them; answers what is wrong, and the sums. */
function audit(facts: readonly Fact<LedgerFact>[], life: CreditsLife, seen: Seen) {
  const wrong: string[] = [];
  const open = new Map<string, number>();
  const charged = new Map<string, number>();
  let sum = 0;
  let releasing = '';
  for (const { type, data, revision } of facts) {
    if (type === 'LedgerOpened') sum += data.credits;
    if (type === 'CreditsGranted') sum += data.amount;
    if (type === 'CreditsHeld') {
      const { id } = data.reference;
      if (open.has(id) || charged.has(id)) wrong.push(`${id} is held twice`);
      open.set(id, data.price.amount);
      sum -= data.price.amount;
    }
    if (type === 'HoldReleased') {
      const { id } = data.reference;
      if (open.get(id) !== data.amount) wrong.push(`${id} is released of ${data.amount}`);
      open.delete(id);
      sum += data.amount;
      releasing = data.reason === 'charged' ? id : '';
    }
    if (type === 'CreditsCharged') {
      const { id } = data.reference;
      if (releasing !== id) wrong.push(`${id} is charged without its hold`);
      if (charged.has(id)) wrong.push(`${id} is charged twice`);
      charged.set(id, data.price.amount);
      sum -= data.price.amount;
    }
    if (sum < 0) wrong.push(`below zero at ${revision}`);
  }
  for (const id of open.keys()) wrong.push(`${id} is held for ever`);
  for (const id of charged.keys())
    if (life.works.get(id) !== 'completed') wrong.push(`${id} is charged, and was not done`);
  for (const [id, outcome] of life.works)
    if (outcome === 'completed' && charged.get(id) !== seen.held.get(id))
      wrong.push(`${id} was done for ${seen.held.get(id)}, and ${charged.get(id)} is charged`);
  return { wrong, sum, charges: charged.size };
}

/** A node as EventStoreDB in this process; read models in memory, every single write of its own. */
async function nodeDisk(): Promise<Disk> {
  const node = await startNode({});
  const events = await eventStoreDb({ ...LONG, url: node.address });
  let tick = (_write: string): void => undefined;
  const models = memoryReadModels(write => tick(write));
  return {
    open: before => {
      tick = before;
      return { events, models };
    },
    fail: async () => {},
    async remove() {
      await events.close();
      node.stop();
    },
  };
}

for (const [name, processes, open] of [
  ['memory', 3, async () => memoryDisk()],
  // A data folder has one process at a time
  ['embedded', 1, async () => embeddedDisk()],
  ['an EventStoreDB node', 3, nodeDisk],
] as const)
  suite(`a ledger of ${WRITERS} writers, killed again and again (${name})`, test => {
    test('its sum is its balance, never below zero; each work that is done is charged once', async () => {
      const random = randomOf(seedFrom('CREDITS_SEED'));
      const disk = await open();
      const plan = Array.from({ length: DEATHS }, () => random.below(60));
      const life = new CreditsLife(disk, plan, processes);
      const seen = new Seen();
      const works = Array.from({ length: WRITERS * WORKS }, (_, n) => `work${n}`);
      try {
        await life.begin();
        for (;;) {
          await Promise.all(
            Array.from({ length: WRITERS }, () => writer(life, randomOf(random.below(2 ** 32)), works, seen)),
          );
          if (!life.deaths.dead && works.length === 0) break;
          await life.again();
        }
        life.deaths.noMore();
        await life.settleAll();
        const facts = (await life.facts()) as Fact<LedgerFact>[];
        const { wrong, sum, charges } = audit(facts, life, seen);
        assert.equal(wrong, []);
        const account = await life.account();
        assert.equal([availableIn(account), account.held], [sum, 0]);
        assert.is(await life.documents(), await life.replayed());
        const { refused, granted, cutShort } = seen;
        console.log(`${name}: ${life.deaths.count} deaths, ${facts.length} facts`, {
          ...{ charges, refused, granted, cutShort },
        });
        assert.ok(life.deaths.count >= Math.min(5, DEATHS) && cutShort > 0, 'kills came in the midst of it');
        assert.ok(charges > WRITERS && refused > 0 && granted > 0, 'there was load');
      } finally {
        await life.end();
        await disk.remove();
      }
    });
  });
