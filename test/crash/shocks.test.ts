import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { memoryKeyValue } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import { forecastRecords } from '../../commands/forecasts/records.js';
import type { Issuing } from '../../commands/forecasts/issuing.js';
import { goalCommands } from '../../commands/goals/records.js';
import { shockCommands } from '../../commands/shocks/records.js';
import { START, type NewFact } from '../../domain/fact.js';
import type { ActingEdge } from '../../domain/goals/ports.js';
import { checkpointOf, react, type Reacts } from '../../workers/engine/reactor.js';
import { SET_ASIDE } from '../../workers/engine/set-aside-facts.js';
import { shockEntry } from '../../workers/shocks/entry.js';
import { champion, settings } from '../domain/goals/given.js';
import { quiet } from '../projections/world.js';
import { meta } from '../spec.js';
import { suite } from '../suite.js';
import { Deaths, memoryDisk, type Disk } from './deaths.js';

const NOW = Date.UTC(2026, 10, 23, 12);
const GOALS = ['goa_1', 'goa_2'];
const EVENTS = ['evt_1', 'evt_2', 'evt_3'];
const scores = { sentiment: 'negative', polarity: -1, importance: 0.9, relevance: 1, impact: -1, rank: 90 };

const edgeOf = (goalId: string): ActingEdge => ({
  ...{ edgeId: `edg_${goalId}`, goalId, kind: 'event_stream', sourceKey: 'news', status: 'validated' },
  ...{
    lift: 0.3,
    direction: 'negative',
    curve: null,
    response: null,
    halfLifeS: 14_400,
    optimalLagS: 0,
    knownInAdvance: false,
  },
  weighing: { by: 'none', mean: 1 },
});

/** A platform that puts goals into shocks, in processes that die as planned. */
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
    const reactor = shockEntry({
      edges: { ofSource: async (_, key) => (key === 'news' ? GOALS.map(edgeOf) : []) },
      subscribed: async () => [],
      published: () => undefined,
      importances: async () => [0.1],
      isArchived: () => false,
      caughtUp: async () => true,
      ...{ goals: goalCommands(deps), shocks: shockCommands(deps), issuing: issuingOn(deps) },
    });
    this.#reactor = react(reactor, {
      ...{ store, deps, kv: memoryKeyValue(() => NOW), clock: () => NOW, log: quiet, pauses: [1, 2, 4, 8] },
      models: this.deaths.models(this.#stores.models),
    });
  }

  async append(journal: string, facts: readonly { readonly type: string; readonly data: object }[]) {
    const whole = facts.map(fact => ({ id: randomUUID(), at: NOW, meta, ...fact }));
    await this.#stores.events.append(journal, START, whole as unknown as NewFact[]);
  }

  /** Lives until all is answered, in as many lives as it takes; what was written then, by type. */
  async work(): Promise<Record<string, number>> {
    while (!(await this.#settled())) {
      if (this.deaths.dead) await this.#again();
      await new Promise(resolve => setTimeout(resolve, 1));
    }
    const counts: Record<string, number> = {};
    for (const { type } of await this.#stores.events.page(START, 1_000))
      counts[type] = (counts[type] ?? 0) + 1;
    return counts;
  }

  async #settled(): Promise<boolean> {
    if (this.deaths.dead || this.#reactor.waiting() > 0) return false;
    const reached = await this.#stores.models.checkpoint(checkpointOf({ name: 'shock-entry' }));
    return reached === (await this.#stores.events.head());
  }

  async #again(): Promise<void> {
    this.deaths.count++;
    await this.end();
    await this.begin();
  }

  end = (): Promise<void> => this.#reactor.stop();
}

/** Forecasts that are only noted: by their ids, once each. */
function issuingOn(deps: Parameters<typeof forecastRecords>[0]): Pick<Issuing, 'issue'> {
  const records = forecastRecords(deps);
  return {
    issue: (workspace, wanted, context) =>
      Promise.all(
        wanted.map(async one => {
          const told = { goalId: one.goalId, dueAt: NOW, lastDueAt: NOW, beats: 1, code: 'x', message: 'x' };
          const { position } = await records.miss(workspace, one.forecastId, told, context);
          return { wanted: one, status: 'issued', position } as const;
        }),
      ),
  };
}

async function run(plan: readonly number[]) {
  const life = new Life(memoryDisk(), plan);
  await life.begin();
  for (const goalId of GOALS)
    await life.append(`goal-w.${goalId}`, [
      { type: 'GoalCreated', data: { goalId, settings: settings(), owner: 'usr_1', fleetId: null } },
      { type: 'GoalActivated', data: { goalId, skipsDiscovery: true } },
      { type: 'GoalWentActive', data: { goalId, champion: champion('a'), runnerUp: null } },
    ]);
  for (const eventId of EVENTS)
    await life.append(`event-w.${eventId}`, [
      {
        type: 'EventRecorded',
        data: { eventId, key: 'news', text: eventId, occurredAt: NOW, shape: 'fresh' },
      },
      { type: 'EventScored', data: { eventId, key: 'news', scores, reasons: [], version: '1' } },
    ]);
  const written = await life.work();
  await life.end();
  return { written, deaths: life.deaths };
}

suite('shocks that are entered, killed at any write', test => {
  test('each goal is in one, deepened by each event once, and forecast once for each', async () => {
    const calm = await run([]);
    const { ShockEntered, ShockDeepened, EventTookEffect, GoalForecastMissed } = calm.written;
    assert.equal([ShockEntered, ShockDeepened, EventTookEffect, GoalForecastMissed], [2, 4, 6, 6]);
    let deaths = 0;
    for (let n = 0; n < calm.deaths.points; n++) {
      const killed = await run(n % 3 === 0 ? [n, n % 7] : [n]);
      assert.equal(killed.written, calm.written, `a death at ${n}`);
      deaths += killed.deaths.count;
    }
    assert.ok(deaths > calm.deaths.points / 2);
  });
});
