import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { embeddedEventStore } from '../../adapters/embedded/event-store.js';
import { embeddedReadModels } from '../../adapters/embedded/read-models.js';
import { memoryEventStore, memoryReadModels } from '../../adapters/memory.js';
import { suite } from '../suite.js';
import { audit, eventFacts } from './audit.js';
import { Life, type Disk } from './mortal.js';
import { play, START } from './script.js';

/** In memory every single write of a page is one of its own, as on a server without transactions. */
function memoryDisk(): Disk {
  const events = memoryEventStore();
  let tick = (_write: string): void => undefined;
  const models = memoryReadModels(write => tick(write));
  return { open: before => { tick = before; return { events, models }; }, fail: async () => {}, remove: async () => {} };
}

/** On files what a killed process leaves is what is in them; what it held in memory is gone. */
function embeddedDisk(): Disk {
  let folder = mkdtempSync(join(tmpdir(), 'presage-test-'));
  let close = async (): Promise<void> => {};
  const leave = async () => { await close(); rmSync(folder, { recursive: true, force: true }); };
  return {
    open() {
      const events = embeddedEventStore(join(folder, 'facts.db')), models = embeddedReadModels(join(folder, 'models.db'));
      close = async () => { await models.close(); await events.close(); };
      return { events, models };
    },
    async fail() {
      const left = mkdtempSync(join(tmpdir(), 'presage-test-'));
      cpSync(folder, left, { recursive: true });
      await leave();
      folder = left;
    },
    remove: leave,
  };
}

/** Plays the whole script in a life that ends at the given points. */
async function run(disk: Disk, plan: readonly number[]) {
  const life = new Life(disk, plan, START);
  await life.begin();
  try {
    await play(life);
    const [documents, stored] = [await life.documents(false), await life.documents(true)];
    return { documents, stored, replayed: await life.replayed(), log: await audit(life.events), life };
  } finally {
    await life.end();
    await disk.remove();
  }
}

const AT_ONCE = 48;
/** What a client's second asking does not make again. */
const once = ['EventRecorded', 'EventCameDue', 'EventWithdrawn', 'EventRevised'];

for (const [name, disk] of [['memory', memoryDisk], ['embedded', embeddedDisk]] as const)
  suite(`a chain of commands killed at any write (${name})`, test => {
  test('ends as one that ran undisturbed, each thing done once', async () => {
    const calm = await run(disk(), []);
    assert.equal(calm.log.faults, []);
    assert.is(calm.life.deaths, 0);
    for (const type of eventFacts) assert.ok(calm.log.counts[type]! > 0, type);

    const points = calm.life.points, plans: number[][] = [];
    for (let n = 0; n < points; n++) plans.push(n % 3 === 0 ? [n, n % 7, n % 11 + 3] : [n]);
    const died = { runs: 0, deaths: 0 };
    const worker = async (): Promise<void> => {
      for (let plan = plans.shift(); plan; plan = plans.shift()) {
        const killed = await run(disk(), plan), what = `deaths at ${plan.join(', ')}`;
        assert.equal(killed.log.faults, [], what);
        assert.is(killed.documents, calm.documents, what);
        assert.is(killed.stored, killed.replayed, `${what}: against a replay`);
        for (const type of once) assert.is(killed.log.counts[type], calm.log.counts[type], `${what}: ${type}`);
        died.runs++;
        died.deaths += killed.life.deaths;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    console.log(`${name}: ${points} points to die at; ${died.runs} runs, ${died.deaths} deaths`);
    // Chance may let a later life end before its point comes; the first one always meets its own, or all but
    assert.ok(died.deaths > points);
  });
});
