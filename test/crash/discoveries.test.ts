import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import type { DiscoveryReads } from '../../commands/discovery/ports.js';
import { discoveryCommands } from '../../commands/discovery/records.js';
import { startingOf, type Starting } from '../../commands/discovery/starting.js';
import { edgeCommands } from '../../commands/edges/records.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { isOpen } from '../../domain/discovery/state.js';
import type { TargetHistory } from '../../domain/goals/ports.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import { discover } from '../../domain/maths/effects/discover.js';
import { fixed } from '../../domain/maths/series/grid.js';
import { HOUR } from '../../domain/time.js';
import { discoveriesProjection } from '../../projections/discovery/projection.js';
import { discoveryQueries, type DiscoveryQueries } from '../../projections/discovery/queries.js';
import { edgesProjection } from '../../projections/edges/projection.js';
import { edgeQueries, type EdgeQueries } from '../../projections/edges/queries.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { discoveryWork } from '../../workers/discoveries.js';
import type { Running } from '../../workers/engine/follow.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import { settings as settingsOf } from '../domain/goals/given.js';
import { made, START, stepsOf } from '../domain/effects/made.js';
import { until } from '../platform.js';
import { quiet } from '../projections/world.js';
import { suite } from '../suite.js';
import { pagesOf } from './audit.js';
import { Deaths, Killed, memoryDisk } from './deaths.js';

const WORKSPACE = 'w';
const GOAL = { workspace: WORKSPACE, goalId: 'goa_1' };
const STEPS = 400;
const LOST = (_: string, offset: number): number => (offset < 0 ? 0 : -8 * 2 ** (-offset / 4));
const question = made({
  ...{ steps: STEPS, seed: 5, effect: LOST },
  streams: { failures: stepsOf(10, STEPS, 3, 24) },
});
const settings = settingsOf({ target: 'output', stepS: 3_600, horizon: 12, timezone: 'UTC' });
const goal = { status: 'active', settings } as LiveGoal;
const history: TargetHistory = {
  series: {
    ...{ id: 'output', start: START, step: fixed(HOUR), period: null, covariates: {} },
    values: Float64Array.from(question.target.values),
  },
  cutoff: START + (STEPS - 1) * HOUR,
  ...{ read: { signal: 'output' } as never, upTo: 0 },
};
const reads: DiscoveryReads = {
  async *signals() {},
  async *streams() {
    yield question.candidates.map(({ key }) => key);
  },
  isThere: async () => true,
  async *points() {},
  events: async (_, key) =>
    question.candidates.flatMap(each =>
      each.key === key && each.kind === 'event_stream' ? each.events : [],
    ),
};

/** What was asked, and the one answer to it: it takes a while. */
const answers = new Map<string, ReturnType<typeof discover>>();
const asked = (input: Parameters<typeof discover>[0]) => {
  const key = JSON.stringify(input, (_, value) =>
    ArrayBuffer.isView(value) ? Array.from(value as never) : value,
  );
  const answer = answers.get(key) ?? discover(input);
  answers.set(key, answer);
  return answer;
};

/** Discoveries in processes that die as planned. */
class Life {
  readonly deaths: Deaths;
  readonly disk = memoryDisk();
  events!: EventStore;
  queries!: DiscoveryQueries;
  edges!: EdgeQueries;
  start!: Starting;
  now = START + 500 * HOUR;
  #running: Running[] = [];
  #projectors: Projector[] = [];

  constructor(plan: readonly number[]) {
    this.deaths = new Deaths(plan);
  }

  context = (): Context => ({
    ...{ workspace: WORKSPACE, actor: 'token:t', request: null, correlation: 'c', causation: 'fact-1' },
    at: this.now,
  });

  async begin(): Promise<void> {
    this.deaths.begin();
    const opened = this.disk.open(this.deaths.before);
    this.events = this.deaths.events(opened.events);
    const models = this.deaths.models(opened.models);
    const projections = [discoveriesProjection, edgesProjection];
    for (const each of projections) await opened.models.prepare(collectionsOf(each, 0));
    const writing = { handle: handler(this.events, randomUUID), load: loader(this.events) };
    const commands = discoveryCommands(writing);
    this.queries = discoveryQueries(reader(models, discoveriesProjection, () => 0));
    this.edges = edgeQueries(reader(models, edgesProjection, () => 0));
    const edges = edgeCommands(writing);
    this.start = startingOf({ commands, edges, goal: async () => goal, queries: this.queries });
    const common = { clock: () => this.now, log: quiet };
    this.#projectors = projections.map(projection =>
      projector({ store: this.events, models, ...common, projection, generationOf: () => 0 }),
    );
    const work = discoveryWork({
      ...{
        ...common,
        commands,
        edges,
        queries: this.queries,
        reads,
        newId: randomUUID,
      },
      goal: async () => goal,
      targetOf: async () => history,
      known: async (...of) => (await this.edges.ofGoal(...of)).map(({ state }) => state),
      compute: { run: async (_: string, input: never) => asked(input) as never },
      caughtUp: position => this.#shown(position).then(() => true),
      visible: position => this.#shown(position),
    });
    this.#running = [...this.#projectors, work];
  }

  async again(): Promise<void> {
    this.deaths.count++;
    await this.end();
    await this.disk.fail();
    await this.begin();
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map(({ stop }) => stop().catch(() => undefined)));
  }

  async #shown(position: number | null): Promise<void> {
    if (position === null) return;
    await Promise.all(this.#projectors.map(each => each.caughtUp(position, 1_000)));
  }

  async idle(): Promise<boolean> {
    const head = await this.events.head();
    return this.#projectors.every(each => each.position() >= head);
  }
}

/** What a run leaves: its facts, and what stands in the read models. */
async function run(plan: readonly number[]) {
  const life = new Life(plan);
  await life.begin();
  const insisting = async <T>(step: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        return await step();
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        await life.again();
      }
  };
  try {
    const { discoveryId } = await insisting(() => life.start.search(GOAL, 'activation', life.context()));
    const doc = await insisting(() =>
      until(async () => {
        if (life.deaths.dead) throw new Killed();
        const found = await life.queries.discovery(WORKSPACE, discoveryId);
        return found && !isOpen(found.status) && (await life.idle()) && found;
      }, 'the end of it'),
    );
    life.deaths.noMore();
    const facts: string[] = [];
    for await (const { type } of pagesOf(life.events)) facts.push(type);
    const edges = await life.edges.ofGoal(WORKSPACE, GOAL.goalId);
    const { status, state } = doc;
    return {
      facts,
      status,
      counts: state.counts,
      edges: edges.map(each => each.state.measured),
      points: life.deaths.points,
    };
  } finally {
    await life.end();
    await life.disk.remove();
  }
}

suite('discoveries in processes that die at any write', test => {
  let whole: Awaited<ReturnType<typeof run>>;
  test('without a death it is completed, and the edge stands', async () => {
    whole = await run([]);
    assert.equal(whole.facts, [
      ...['DiscoveryStarted', 'DiscoveryBegan', 'DiscoveryGathered', 'DiscoveryTested'],
      ...['EdgeFound', 'EdgeChecked', 'EdgeValidated', 'DiscoveryCompleted'],
    ]);
    assert.equal([whole.status, whole.counts], ['completed', { tested: 1, found: 1, rejected: 0 }]);
    assert.is(answers.size, 1);
  });

  test('wherever one dies it is completed once, of the same question, with the same edge', async () => {
    for (let point = 0; point < whole.points; point++) {
      const { points: _, ...left } = await run([point]);
      const { points: __, ...before } = whole;
      assert.equal(left, before, `at ${point}`);
    }
    assert.is(answers.size, 1, 'what is read again is the same to the bit');
  });
});
