import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryKeyValue } from '../../adapters/memory.js';
import { looking } from '../../commands/alerts/looking.js';
import type { Evidences } from '../../commands/alerts/ports.js';
import { alertCommands } from '../../commands/alerts/records.js';
import { handler, loader } from '../../commands/engine/handle.js';
import type { AlertFact } from '../../domain/alerts/facts.js';
import type { AlertSettings } from '../../domain/alerts/kinds.js';
import { START, type Fact } from '../../domain/fact.js';
import type { ActualStep } from '../../domain/forecasts/grading.js';
import { alertAfter } from '../../projections/alerts/changes.js';
import { alertChecking } from '../../workers/alert-checking.js';
import { checkpointOf, react, type Reacts } from '../../workers/engine/reactor.js';
import { SET_ASIDE } from '../../workers/engine/set-aside-facts.js';
import { goalSettings } from '../api/forecasts-world.js';
import { quiet } from '../projections/world.js';
import { meta, stored } from '../spec.js';
import { suite } from '../suite.js';
import { Deaths, memoryDisk, type Disk } from './deaths.js';

const HOUR = 3_600_000;
const NOW = 500_000 * HOUR;
const ACTUALS = [5, 15, 5, 5, 20, 20, 5, 15, 5, 5];
const WANTED = [
  ...['AlertFired', 'AlertEased', 'AlertResolved', 'AlertRested', 'AlertFired', 'AlertEased', 'AlertWentOn'],
  ...['AlertEased', 'AlertResolved'],
];
const settings: AlertSettings = {
  ...{ name: 'Many', watched: { kind: 'threshold', params: { value: 10, direction: 'above' } } },
  ...{ forS: 0, severity: 'warning', channels: [], enabled: true, muteUntil: null, cooldownS: 0 },
};
const steps = ACTUALS.map(
  (actual, i): ActualStep => ({
    ...{ time: NOW + i * HOUR, actual, forecastIds: [], leads: [], losses: [], naiveLosses: [] },
    ...{ errors: [], scores: [] },
  }),
);
const created: AlertFact = {
  type: 'AlertCreated',
  data: { alertId: 'alr_1', goalId: 'goa_1', settings, by: 'usr_1' },
};
const rule = alertAfter(null, stored(created)[0]! as Fact<AlertFact>)!;

/** Checks a rule over stores that die as planned. */
class Life {
  readonly deaths: Deaths;
  #stores!: ReturnType<Disk['open']>;
  #reactor!: Reacts;

  constructor(
    readonly disk: Disk,
    plan: readonly number[],
  ) {
    this.deaths = new Deaths(plan);
  }

  async begin(): Promise<void> {
    this.deaths.begin();
    this.#stores = this.disk.open(this.deaths.before);
    await this.#stores.models.prepare([SET_ASIDE]);
    const store = this.deaths.events(this.#stores.events);
    const deps = { handle: handler(store, randomUUID), load: loader(store) };
    const by = { actuals: async () => [] } as unknown as Evidences;
    const reactor = alertChecking({
      queries: { ofGoal: async () => [{ ...rule, _at: 0 }], async *ofStream() {}, async *streams() {} },
      ...{ commands: alertCommands(deps), look: looking(by), checkedOn: [], alone: true },
      ...{ settingsOf: async () => goalSettings(), isArchived: () => false, caughtUp: async () => true },
    });
    this.#reactor = react(reactor, {
      ...{ store, deps, kv: memoryKeyValue(() => NOW), clock: () => NOW, log: quiet, pauses: [1, 2] },
      models: this.deaths.models(this.#stores.models),
    });
  }

  async append(): Promise<void> {
    const write = (journal: string, type: string, data: object) =>
      this.#stores.events.append(journal, START, [{ id: randomUUID(), type, at: NOW, data, meta }]);
    await write('goal-w.goa_1', 'GoalWentActive', { goalId: 'goa_1', champion: null, runnerUp: null });
    await write('alert-w.alr_1', created.type, created.data);
    for (const [i, step] of steps.entries())
      await write(`goal_actuals-w.goa_1.${i}`, 'GoalActualsCame', { goalId: 'goa_1', steps: [step] });
  }

  /** What came of the rule, in as many lives as it takes. */
  async work(): Promise<string[]> {
    while (!(await this.#settled())) {
      if (this.deaths.dead) await this.#again();
      await new Promise(resolve => setTimeout(resolve, 2));
    }
    const facts = await this.#stores.events.page(START, 1_000);
    await this.#reactor.stop();
    return facts.map(({ type }) => type).filter(type => type.startsWith('Alert') && type !== 'AlertCreated');
  }

  async #settled(): Promise<boolean> {
    if (this.deaths.dead || this.#reactor.waiting() > 0) return false;
    const { events, models } = this.#stores;
    return (await models.checkpoint(checkpointOf({ name: 'alert-checking' }))) === (await events.head());
  }

  async #again(): Promise<void> {
    this.deaths.count++;
    await this.#reactor.stop();
    await this.disk.fail();
    await this.begin();
  }
}

suite('alerts that are checked, killed at any write', test => {
  test('each instance begins once and ends once, as undisturbed', async () => {
    const run = async (plan: readonly number[]) => {
      const life = new Life(memoryDisk(), plan);
      await life.begin();
      await life.append();
      return { led: await life.work(), deaths: life.deaths };
    };
    const calm = await run([]);
    assert.equal(calm.led, WANTED);
    let deaths = 0;
    for (let n = 0; n < calm.deaths.points; n++) {
      const plan = n % 3 === 0 ? [n, n % 7, (n % 5) + 3] : [n];
      const killed = await run(plan);
      assert.equal(killed.led, WANTED, `deaths at ${plan.join(', ')}`);
      deaths += killed.deaths.count;
    }
    console.log(`${calm.deaths.points} points to die at, ${deaths} deaths`);
    assert.ok(deaths > calm.deaths.points / 2);
  });
});
