import * as assert from 'uvu/assert';
import type { LedgerFact } from '../../domain/billing/facts.js';
import type { ScenarioFact } from '../../domain/scenarios/facts.js';
import { isOpen, isThere } from '../../domain/scenarios/state.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { pagesOf } from './audit.js';
import { embeddedDisk, Killed, memoryDisk, type Disk } from './deaths.js';
import { CREDITS, ORGANIZATION, ScenariosLife, WORKSPACE } from './scenarios-life.js';

const AT_ONCE = 8;
const [SMALL, LATER, GONE] = ['scn_small', 'scn_later', 'scn_gone'];
type Step = (life: ScenariosLife) => Promise<unknown>;
const of = (scenarioId: string) => ({ workspace: WORKSPACE, scenarioId });

/** Asked for twice it is made once. */
const create =
  (id: string, isQueued: boolean): Step =>
  async life => {
    if ((await life.commands.state(of(id))).status === 'none') await life.create(id, isQueued);
  };
const over =
  (id: string): Step =>
  life =>
    until(async () => {
      if (life.deaths.dead) throw new Killed();
      const state = await life.commands.state(of(id));
      return !isThere(state) || !isOpen(state.status);
    }, id);
const runAgain: Step = async life => {
  const { run, status } = await life.commands.read(of(LATER!));
  if (run.run === 1 && !isOpen(status)) await life.runAgain(LATER!);
};
const remove: Step = async life => {
  if (isThere(await life.commands.state(of(GONE!))))
    await life.commands.remove(of(GONE!), null, life.context());
};
const steps: readonly Step[] = [
  create(SMALL!, false),
  create(LATER!, true),
  over(LATER!),
  runAgain,
  create(GONE!, true),
  remove,
  over(LATER!),
];

/** What a patient client does: it asks again, in the next life, until it has an answer. */
async function play(life: ScenariosLife): Promise<void> {
  for (const step of steps)
    for (;;) {
      try {
        await step(life);
        break;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        await life.again();
      }
    }
}

/** Holds that nobody ended, as the log tells it. */
async function heldIn({ events }: ScenariosLife): Promise<number> {
  const open = new Set<string>();
  for await (const fact of pagesOf(events)) {
    const { type, data } = fact as unknown as LedgerFact;
    if (type === 'CreditsHeld') open.add(data.reference.id);
    if (type === 'HoldReleased') open.delete(data.reference.id);
  }
  return open.size;
}

/** How each ended, and faults in what was written on the way. */
async function left(life: ScenariosLife) {
  life.deaths.noMore();
  // A process that is started after all others have ended looks at all holds that it knows of
  await until(async () => {
    await life.again();
    await until(() => life.idle(), 'read models');
    return (await heldIn(life)) === 0;
  }, 'the end of all holds');
  const faults: string[] = [];
  const completed: string[] = [];
  const charged: string[] = [];
  const runs = new Map<string, string>();
  let spent = 0;
  for await (const fact of pagesOf(life.events)) {
    const { type, data } = fact as unknown as ScenarioFact | LedgerFact;
    if (type === 'ScenarioRunCompleted') completed.push(`${data.scenarioId}.${data.run}`);
    if (type === 'ScenarioRunRequested') runs.set(data.paidAs, `${data.scenarioId}.${data.run}`);
    if (type !== 'CreditsCharged') continue;
    charged.push(data.reference.id);
    spent += data.price.amount;
  }
  const paid = charged.map(id => runs.get(id) ?? id);
  if (String(paid.sort()) !== String([...completed].sort()))
    faults.push(`completed ${completed}, paid ${paid}`);
  for (const run of [`${SMALL}.1`, `${LATER}.1`, `${LATER}.2`])
    if (!completed.includes(run)) faults.push(`${run} did not come to its end`);
  await until(() => life.idle(), 'the read models of ledgers');
  const { credits } = (await life.ledgers.account(ORGANIZATION))!.account;
  if (credits !== CREDITS - spent) faults.push(`${credits} credits are left, ${spent} were charged`);
  const doc = await life.queries.scenario(WORKSPACE, LATER!);
  if (await life.queries.scenario(WORKSPACE, GONE!)) faults.push('one that was deleted is shown');
  return { total: doc?.state.result?.totalDelta, faults };
}

async function run(disk: Disk, plan: readonly number[], together = false) {
  const life = new ScenariosLife(disk, plan, together);
  await life.begin();
  try {
    await play(life);
    return { ...(await left(life)), points: life.deaths.points };
  } finally {
    await life.end();
    await disk.remove();
  }
}

suite('scenarios in processes that die at any write', test => {
  let whole: Awaited<ReturnType<typeof run>>;
  test('without a death all is as it should be', async () => {
    whole = await run(memoryDisk(), []);
    assert.equal(whole.faults, []);
    assert.is(whole.total, -7);
    assert.ok(whole.points > 20, `${whole.points} places to die`);
  });

  test('wherever one dies each run is done, once, and paid once', async () => {
    const dying = async (point: number) => {
      const { total, faults } = await run(memoryDisk(), [point]);
      assert.equal([total, faults], [whole.total, []], `at ${point}`);
    };
    // Each waits most of its time
    for (let from = 0; from < whole.points; from += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => dying(from + i)));
  });

  test('many die one after the other, on files', async () => {
    const { total, faults } = await run(embeddedDisk(), [3, 7, 11, 19, 23], true);
    assert.equal([total, faults], [whole.total, []]);
  });
});
