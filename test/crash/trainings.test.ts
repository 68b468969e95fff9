import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { LedgerFact } from '../../domain/billing/facts.js';
import type { TrainingFact } from '../../domain/trainings/facts.js';
import { isOpen } from '../../domain/trainings/state.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { queuedData } from '../domain/trainings-given.js';
import { pagesOf } from './audit.js';
import { embeddedDisk, Killed, memoryDisk, type Disk } from './deaths.js';
import { CREDITS, ORGANIZATION, TrainingsLife, WORKSPACE } from './trainings-life.js';

const AT_ONCE = 8;
const IDS = ['trn_000000000000000a', 'trn_000000000000000b', 'trn_000000000000000c'] as const;
type Step = (life: TrainingsLife) => Promise<unknown>;

const queue =
  (trainingId: string): Step =>
  life => {
    const { blueprint, intensity, lookback, what, trainingId: _, price: __, ...said } = queuedData;
    const recipe = { algorithm: 'naive', hyperparameters: {} } as const;
    const model = {
      ...{ blueprint, intensity, lookback, horizon: 3 },
      what: what.kind === 'custom' ? { ...what, recipe } : what,
    } as const;
    const wanted = { ...said, trainingId, model, unpaid: 'refuse' } as const;
    return life.commands.queue(WORKSPACE, wanted as never, life.context());
  };

const over =
  (trainingId: string): Step =>
  life =>
    until(async () => {
      if (life.deaths.dead) throw new Killed();
      const doc = await life.queries.training(WORKSPACE, trainingId);
      return doc && !isOpen(doc.status) && (await life.idle());
    }, trainingId);

/** Called off, unless it is over already. */
const cancel =
  (trainingId: string): Step =>
  async life => {
    const { status } = await life.commands.read(WORKSPACE, trainingId);
    if (isOpen(status)) await life.commands.cancel(WORKSPACE, trainingId, life.context());
  };

/** Each is asked for twice, as by somebody who had no answer. */
const steps: readonly Step[] = [
  queue(IDS[0]),
  queue(IDS[0]),
  over(IDS[0]),
  queue(IDS[1]),
  queue(IDS[2]),
  cancel(IDS[2]),
  over(IDS[1]),
  over(IDS[2]),
  queue(IDS[1]),
];

/** What a patient client does: it asks again, in the next life, until it has an answer. */
async function play(life: TrainingsLife): Promise<void> {
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

/** What a run leaves: how each ended, and faults in what was written on the way. */
async function left(life: TrainingsLife) {
  life.deaths.noMore();
  // As a process does that is started after all others have ended: no hold is left by then
  await life.again();
  const faults: string[] = [];
  await until(async () => {
    if (!(await life.idle())) return false;
    for await (const page of life.ledgers.holdsBefore(Infinity)) if (page.length > 0) return false;
    return life.idle();
  }, 'the end of all holds');
  const ends = new Map<string, string[]>();
  const charged = new Map<string, number[]>();
  for await (const fact of pagesOf(life.events)) {
    const { type, data } = fact as unknown as TrainingFact | LedgerFact;
    if (/^Training(Completed|Failed|Skipped|Cancelled)$/.test(type)) {
      const { trainingId } = data as { trainingId: string };
      ends.set(trainingId, [...(ends.get(trainingId) ?? []), type]);
    }
    if (type === 'CreditsCharged')
      charged.set(data.reference.id, [...(charged.get(data.reference.id) ?? []), data.price.amount]);
  }
  let spent = 0;
  for (const id of IDS) {
    const [end, ...more] = ends.get(id) ?? [];
    const paid = charged.get(id) ?? [];
    spent += paid.reduce((sum, amount) => sum + amount, 0);
    if (end === undefined || more.length > 0) faults.push(`${id} ended as ${ends.get(id)?.join(', ')}`);
    if (end === 'TrainingCompleted' && JSON.stringify(paid) !== '[1000]') faults.push(`${id} paid ${paid}`);
    if (end === 'TrainingFailed' && paid.length > 0) faults.push(`${id} failed and paid ${paid}`);
    if (end === 'TrainingCancelled' && paid.length > 1) faults.push(`${id} paid ${paid}`);
  }
  const { credits } = (await life.ledgers.account(ORGANIZATION))!.account;
  if (credits !== CREDITS - spent) faults.push(`${credits} credits are left, ${spent} were charged`);
  const doc = (await life.queries.training(WORKSPACE, IDS[0]))!;
  const { score } = await life.files.head(IDS[0], doc.report!);
  return { ends: IDS.map(id => ends.get(id)?.[0]), score, faults };
}

async function run(disk: Disk, plan: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'presage-test-'));
  const life = new TrainingsLife(disk, folder, plan);
  await life.prepare();
  await life.begin();
  try {
    await play(life);
    const outcome = await left(life);
    return { ...outcome, points: life.deaths.points };
  } finally {
    await life.end();
    await disk.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

suite('trainings in processes that die at any write', test => {
  let whole: Awaited<ReturnType<typeof run>>;
  test('without a death all is as it should be', async () => {
    whole = await run(memoryDisk(), []);
    assert.equal(whole.faults, []);
    assert.equal(whole.ends.slice(0, 2), ['TrainingCompleted', 'TrainingCompleted']);
    assert.ok(whole.points > 60, `${whole.points} places to die`);
  });

  test('wherever one dies each is done, once, and paid once', async () => {
    const dying = async (point: number) => {
      const { ends, score, faults } = await run(memoryDisk(), [point]);
      assert.equal(
        [ends.slice(0, 2), score, faults],
        [whole.ends.slice(0, 2), whole.score, []],
        `at ${point}`,
      );
    };
    // Each waits most of its time
    for (let from = 0; from < whole.points; from += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => dying(from + i)));
  });

  test('many die one after the other, on files', async () => {
    for (const plan of [
      [3, 7, 11, 19, 23],
      [30, 5, 2, 9, 40, 6],
    ]) {
      const { faults } = await run(embeddedDisk(), plan);
      assert.equal(faults, [], `deaths at ${plan.join(', ')}`);
    }
  });
});
