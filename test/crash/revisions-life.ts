import { randomUUID } from 'node:crypto';
import { memoryKeyValue } from '../../adapters/memory.js';
import { handler, loader } from '../../commands/engine/handle.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { notingOf } from '../../commands/revisions/noting.js';
import { revisionCommands } from '../../commands/revisions/records.js';
import { START, type Fact } from '../../domain/fact.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import { fixed } from '../../domain/maths/series/grid.js';
import type { RevisionFact } from '../../domain/revisions/facts.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { revisionsProjection } from '../../projections/revisions/projection.js';
import { revisionQueries } from '../../projections/revisions/queries.js';
import type { Running } from '../../workers/engine/follow.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import { checkpointOf, react } from '../../workers/engine/reactor.js';
import { SET_ASIDE } from '../../workers/engine/set-aside-facts.js';
import { HISTORY_REVISION, historyRevision } from '../../workers/history-revision.js';
import { RevisionUses } from '../../workers/revision-uses.js';
import { revisionWork } from '../../workers/revisions.js';
import { quiet } from '../projections/world.js';
import { Deaths, type Disk } from './deaths.js';

const HOUR = 3_600_000;
export const MERGE_MS = 1_000;
const WORKSPACE = 'w';
const generationOf = () => 0;
const GOALS = ['goa_1', 'goa_2'];
const goal = {
  ...{ status: 'active', champion: null, owner: 'usr_1' },
  settings: {
    ...{ target: 'orders', stepS: 3_600, horizon: 3, timezone: 'UTC', segmentId: null, metric: 'crps' },
    options: { autoTournament: 'off', quantiles: [] },
  },
} as unknown as LiveGoal;
const edge = {
  edgeId: 'edg_1',
  kind: 'event_stream',
  sourceKey: 'news',
  status: 'validated',
  lift: 0.2,
} as const;
const series = {
  ...{ id: 'orders', start: 0, step: fixed(HOUR), period: null, covariates: {} },
  values: new Float64Array(100),
};

/** What notes history that changed, and makes it anew, in processes that die; goals and edges only count. */
export class RevisionsLife {
  readonly deaths: Deaths;
  now = 1_000 * HOUR;
  /** Jobs that were asked for, as they would be made: once for each name. */
  readonly checks = new Set<string>();
  #events!: EventStore;
  #running: Running[] = [];
  #projector!: Projector;
  #revision = 0;

  constructor(
    readonly disk: Disk,
    plan: readonly number[],
  ) {
    this.deaths = new Deaths(plan);
  }

  async begin(): Promise<void> {
    this.deaths.begin();
    const opened = this.disk.open(this.deaths.before);
    this.#events = opened.events;
    const store = this.deaths.events(opened.events);
    const models = this.deaths.models(opened.models);
    await opened.models.prepare([SET_ASIDE, ...collectionsOf(revisionsProjection, 0)]);
    const clock = () => this.now;
    const deps = { handle: handler(store, randomUUID), load: loader(store) };
    const base = { store, models, clock, log: quiet };
    const queries = revisionQueries(reader(models, revisionsProjection, generationOf));
    const commands = revisionCommands(deps);
    this.#projector = projector({ ...base, projection: revisionsProjection, generationOf });
    const uses = new RevisionUses({
      async *goals() {
        yield GOALS.map(goalId => ({
          ...{ goalId, target: 'orders', segmentId: null, stepS: 3_600, cadenceS: 3_600 },
        }));
      },
      recipe: async () => null,
      sources: async () => [{ kind: 'stream', key: 'news' }],
      offers: async () => [],
      freshMs: Infinity,
    });
    const note = notingOf({ commands, firstClosingAfter: queries.firstClosingAfter, mergeMs: MERGE_MS });
    const reactor = historyRevision({
      ...{ uses, note, newestBefore: async () => null, eventBefore: async () => null },
      caughtUp: async () => true,
    });
    const reacts = react(reactor, { ...base, deps, kv: memoryKeyValue(clock), pauses: [1, 1, 1] });
    const work = revisionWork({
      ...{ commands, queries, clock, log: quiet, newId: randomUUID, everyMs: 1 },
      goal: async () => goal,
      segments: { read: () => Promise.reject(new Error()), rebuild: () => Promise.reject(new Error()) },
      edges: {
        ofGoal: async () => [edge],
        now: async () => ({ ...edge, status: 'weakening' }),
        recheck: async ({ goalId }, _, { causation }) => {
          this.checks.add(`${goalId} ${causation}`);
          return `dis_${goalId}`;
        },
        isOver: async () => true,
      },
      targetOf: async () => ({ series, cutoff: 0, upTo: 0, read: null as never }),
      forecastBy: () => Promise.reject(new Error('there is no champion')),
      replaced: async (_, one) => ({ ...one, warnings: [] }),
      startTournament: () => Promise.reject(new Error('nothing moved')),
      isArchived: () => false,
      head: () => store.head(),
      notedUpTo: () => models.checkpoint(checkpointOf({ name: HISTORY_REVISION })),
      visible: async position => position !== null && this.#projector.caughtUp(position, 1_000),
    });
    this.#running = [this.#projector, reacts, work];
  }

  /** An event long after it occurred, recorded now. Nobody dies at that. */
  async recordLate(nth: number): Promise<void> {
    const data = { eventId: `evt_${nth}`, key: 'news', text: 'Late', occurredAt: nth * HOUR, shape: 'stale' };
    const meta = { workspace: WORKSPACE, actor: 'token:t', request: null, correlation: 'c', causation: null };
    const fact = { id: randomUUID(), type: 'EventRecorded', at: this.now, data, meta };
    await this.#events.append(`event-${WORKSPACE}.evt_${this.#revision++}`, START, [fact]);
  }

  /** Lives, in as many lives as it takes, until so many causes are in revisions that are over. */
  async until(causes: number): Promise<void> {
    for (;;) {
      if (this.deaths.dead) await this.#again();
      const facts = await this.facts();
      const over = facts
        .filter(({ type }) => type === 'HistoryRevised')
        .map(({ data }) => data as { causes: number });
      if (!this.deaths.dead && over.reduce((sum, each) => sum + each.causes, 0) >= causes) return;
      await new Promise(resolve => setTimeout(resolve, 1));
    }
  }

  async facts(): Promise<readonly Fact<RevisionFact>[]> {
    const facts = await this.#events.page(START, 10_000);
    return facts.filter(({ journal }) => journal.startsWith('revision-')) as readonly Fact<RevisionFact>[];
  }

  async #again(): Promise<void> {
    this.deaths.count++;
    await this.end();
    await this.disk.fail();
    await this.begin();
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map(({ stop }) => stop().catch(() => undefined)));
  }
}
