import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { audit, eventFacts } from './audit.js';
import { embeddedDisk, memoryDisk, type Disk } from './deaths.js';
import { Life } from './mortal.js';
import { play, START } from './script.js';

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

for (const [name, disk] of [
  ['memory', memoryDisk],
  ['embedded', embeddedDisk],
] as const)
  suite(`a chain of commands killed at any write (${name})`, test => {
    test('ends as one that ran undisturbed, each thing done once', async () => {
      const calm = await run(disk(), []);
      assert.equal(calm.log.faults, []);
      assert.is(calm.life.deaths.count, 0);
      for (const type of eventFacts) assert.ok(calm.log.counts[type]! > 0, type);

      const points = calm.life.deaths.points;
      const plans: number[][] = [];
      for (let n = 0; n < points; n++) plans.push(n % 3 === 0 ? [n, n % 7, (n % 11) + 3] : [n]);
      const died = { runs: 0, deaths: 0 };
      const worker = async (): Promise<void> => {
        for (let plan = plans.shift(); plan; plan = plans.shift()) {
          const killed = await run(disk(), plan);
          const what = `deaths at ${plan.join(', ')}`;
          assert.equal(killed.log.faults, [], what);
          assert.is(killed.documents, calm.documents, what);
          assert.is(killed.stored, killed.replayed, `${what}: against a replay`);
          for (const type of once)
            assert.is(killed.log.counts[type], calm.log.counts[type], `${what}: ${type}`);
          died.runs++;
          died.deaths += killed.life.deaths.count;
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
      console.log(`${name}: ${points} points to die at; ${died.runs} runs, ${died.deaths} deaths`);
      // Chance may let a later life end before its point comes; the first one always meets its own, or all
      // but
      assert.ok(died.deaths > points);
    });
  });
