import * as assert from 'uvu/assert';
import { goalIdOf } from '../../commands/fleets/records.js';
import type { FleetFact } from '../../domain/fleets/facts.js';
import { isLive } from '../../domain/fleets/state.js';
import type { GoalFact } from '../../domain/goals/facts.js';
import { fleetSettings } from '../domain/fleets/given.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { pagesOf } from './audit.js';
import { embeddedDisk, Killed, memoryDisk, type Disk } from './deaths.js';
import { ENTITIES, FleetsLife, OF, WORKSPACE } from './fleets-life.js';

const AT_ONCE = 16;
type Step = (life: FleetsLife) => Promise<unknown>;

/** Until all that was to be done for its goals is. */
const settled: Step = life =>
  until(async () => {
    if (life.deaths.dead) throw new Killed();
    const state = await life.commands.state(OF);
    return !isLive(state) || state.work === null;
  }, 'the end of the work');

/** As tournaments do for goals that are on their way. */
const compete: Step = async life => {
  for (const entity of ENTITIES) {
    const of = { workspace: WORKSPACE, goalId: goalIdOf(OF, entity) };
    await life.goals.wentActive(of, { champion: null, runnerUp: null }, life.context());
  }
};

/** Asked for again by somebody who had no answer: what has happened is not asked for. */
const paused =
  (wanted: boolean): Step =>
  async life => {
    const state = await life.commands.state(OF);
    if (!isLive(state) || state.paused === wanted) return;
    await life.commands[wanted ? 'pause' : 'resume'](OF, life.context());
  };

const steps: readonly Step[] = [
  life =>
    life.commands.create(WORKSPACE, fleetSettings({ autoSync: false }), 'usr_1', life.context(), OF.fleetId),
  settled,
  compete,
  paused(true),
  settled,
  paused(false),
  settled,
  async life => isLive(await life.commands.state(OF)) && life.commands.remove(OF, null, life.context()),
  settled,
];

async function run(disk: Disk, plan: readonly number[]) {
  const life = new FleetsLife(disk, plan);
  await life.begin();
  try {
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
    life.deaths.noMore();
    if (life.deaths.dead) await life.again();
    const happened: string[] = [];
    for await (const fact of pagesOf(life.events)) {
      const { type, data } = fact as unknown as FleetFact | GoalFact;
      if ('goalId' in data) happened.push(`${data.goalId} ${type}`);
      else if (type === 'FleetGoalsMade') for (const { entity } of data.made) happened.push(`${entity} made`);
      else if (type !== 'FleetPlanned') happened.push(type);
    }
    return { happened: happened.sort(), points: life.deaths.points };
  } finally {
    await life.end();
    await disk.remove();
  }
}

suite('fleets in processes that die at any write', test => {
  let whole: Awaited<ReturnType<typeof run>>;
  test('without a death each goal is made, paused, resumed and archived', async () => {
    whole = await run(memoryDisk(), []);
    const moves = [
      ...['GoalActivated', 'GoalArchived', 'GoalCreated', 'GoalHealthChanged', 'GoalPaused'],
      ...['GoalResumed', 'GoalWentActive'],
    ];
    const [id] = [goalIdOf(OF, 'a')];
    assert.equal(
      whole.happened.filter(what => what.startsWith(id)),
      moves.map(move => `${id} ${move}`),
    );
    assert.ok(whole.happened.includes('FleetDeleted'));
    assert.ok(whole.points > 60, `${whole.points} places to die`);
  });

  test('wherever one dies all of it happens, and once', async () => {
    const dying = async (point: number) =>
      assert.equal((await run(memoryDisk(), [point])).happened, whole.happened, `at ${point}`);
    // Each waits most of its time
    for (let from = 0; from < whole.points; from += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => dying(from + i)));
  });

  test('many die one after the other, on files', async () => {
    for (const plan of [
      [3, 7, 11, 19, 23],
      [30, 5, 2, 9, 40, 6],
    ])
      assert.equal((await run(embeddedDisk(), plan)).happened, whole.happened, plan.join(', '));
  });
});
