import { randomUUID } from 'node:crypto';
import { folderContents } from '../../adapters/contents.js';
import { memoryKeyValue } from '../../adapters/memory.js';
import { build } from '../../adapters/segments/jobs.js';
import type { Contents } from '../../commands/ports/contents.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { segmentCommands } from '../../commands/segments.js';
import type { SegmentReads } from '../../commands/segments/sources.js';
import { tables } from '../../commands/segments/tables.js';
import type { TableWork } from '../../commands/segments/work.js';
import { signalCommands } from '../../commands/signals.js';
import { segments } from '../../domain/segments/decider.js';
import type { KeptRecipe } from '../../domain/segments/facts.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { segmentsProjection } from '../../projections/segments/projection.js';
import { segmentQueries, type SegmentQueries } from '../../projections/segments/queries.js';
import { signalsProjection } from '../../projections/signals/projection.js';
import { signalQueries } from '../../projections/signals/queries.js';
import type { Running } from '../../workers/engine/follow.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import { react, type Reacts } from '../../workers/engine/reactor.js';
import { SET_ASIDE } from '../../workers/engine/set-aside-facts.js';
import { segmentBuilds } from '../../workers/segment-builds.js';
import { segmentStaleness } from '../../workers/segment-staleness.js';
import { SegmentUsers } from '../../workers/segment-users.js';
import { quiet } from '../projections/world.js';
import { Deaths, type Disk } from './deaths.js';

export const WORKSPACE = 'w';
export const SEGMENT = 'seg_1';
const WITHIN_MS = 1_000;
const generationOf = () => 0;

/** A platform's segments, their builds and their staleness, in processes that die as planned. */
export class SegmentsLife {
  readonly deaths: Deaths;
  readonly contents: Contents;
  now = 1_800_000_000_000;
  queries!: SegmentQueries;
  commands!: ReturnType<typeof segmentCommands>;
  push!: (points: readonly (readonly [time: number, value: number])[]) => Promise<void>;
  create!: (recipe: KeptRecipe) => Promise<void>;
  events!: ReturnType<Disk['open']>['events'];
  #running: Running[] = [];
  #projectors: Projector[] = [];
  #reactor!: Reacts;

  constructor(
    readonly disk: Disk,
    folder: string,
    plan: readonly number[],
  ) {
    this.deaths = new Deaths(plan);
    this.contents = folderContents(folder);
  }

  context = (): Context => ({
    ...{ workspace: WORKSPACE, actor: 'token:t', request: null, correlation: 'c', causation: null },
    at: this.now,
  });

  async begin(): Promise<void> {
    this.deaths.begin();
    const opened = this.disk.open(this.deaths.before);
    this.events = this.deaths.events(opened.events);
    const models = this.deaths.models(opened.models);
    const projections = [signalsProjection, segmentsProjection];
    for (const each of projections) await opened.models.prepare(collectionsOf(each, 0));
    await opened.models.prepare([SET_ASIDE]);
    const clock = () => this.now;
    const base = { store: this.events, models, clock, log: quiet };
    const handle = handler(this.events, randomUUID);
    const load = loader(this.events);
    const signals = signalQueries(reader(models, signalsProjection, generationOf));
    this.queries = segmentQueries(reader(models, segmentsProjection, generationOf));
    this.commands = segmentCommands(handle, load);
    const pushing = signalCommands(handle, signals.known);
    this.push = async points => {
      const [times, values] = [points.map(([time]) => time), points.map(([, value]) => value)];
      const pushed = { key: 'target', unit: null, origin: 'api', times, values } as const;
      await pushing.push(WORKSPACE, [pushed], this.context());
    };
    this.create = async recipe => {
      const data = { workspace: WORKSPACE, segmentId: SEGMENT, name: 'S', description: '', recipe };
      await handle(segments, { type: 'CreateSegment', data }, this.context());
    };
    this.#projectors = projections.map(projection => projector({ ...base, projection, generationOf }));
    const caughtUp = async (position: number) =>
      (await Promise.all(this.#projectors.map(each => each.caughtUp(position, WITHIN_MS)))).every(Boolean);
    const { deaths, contents, queries, commands } = this;
    const mortal: Contents = {
      ...contents,
      async put(shelf, bytes) {
        deaths.before();
        const put = await contents.put(shelf, bytes);
        deaths.before();
        return put;
      },
      async remove(shelf, names) {
        deaths.before();
        await contents.remove(shelf, names);
        deaths.before();
      },
    };
    const work: Pick<TableWork, 'build'> = {
      build({ recipe, sources, shelf, before }) {
        const own = {
          put: async (bytes: Uint8Array) => (await mortal.put(shelf, bytes)).sha256,
          get: (sha256: string) => mortal.get(shelf, sha256),
          has: async (sha256: string) => (await mortal.list(shelf)).includes(sha256),
        };
        return build(recipe, sources, own, before);
      },
    };
    const users = new SegmentUsers(queries, async (workspace, _, key) => ({ workspace, key }), Infinity);
    this.#reactor = react(
      segmentStaleness({
        users,
        commands,
        contents: mortal,
        occursAt: async () => null,
        actsOn: async () => null,
        caughtUp,
      }),
      { ...base, deps: { handle, load }, kv: memoryKeyValue(clock), pauses: [1, 2, 5, 10, 20, 50, 100, 200] },
    );
    const builds = segmentBuilds({
      ...{ commands, queries, work, caughtUp, clock, log: quiet, reads: readsOf(signals) },
      contents: mortal,
      holidays: async () => null,
      newId: randomUUID,
      visible: async position => void (position !== null && (await caughtUp(position))),
      atOnce: 1,
      everyMs: 3,
    });
    this.#running = [...this.#projectors, this.#reactor, builds];
  }

  /** Buries a dead process and starts the next one. */
  async again(): Promise<void> {
    this.deaths.count++;
    await this.end();
    await this.disk.fail();
    await this.begin();
  }

  async end(): Promise<void> {
    await Promise.all(this.#running.map(({ stop }) => stop()));
  }

  /** Whether all that is in the log shows and was reacted to. */
  async idle(): Promise<boolean> {
    const head = await this.events.head();
    return (
      this.#projectors.every(each => each.position() >= head)
      && this.#reactor.position() >= head
      && this.#reactor.waiting() === 0
    );
  }

  tables = () => tables(this.contents);
}

const readsOf = (signals: ReturnType<typeof signalQueries>): SegmentReads => ({
  async signal(workspace, key) {
    const doc = await signals.signal(workspace, key);
    return doc && { workspace, key, recordedAt: doc.recorded_at };
  },
  stream: async (workspace, key) => ({ workspace, key }),
  entities: async () => [],
  points: ({ workspace, key }, from, to, asOf) => signals.pointsKnown(workspace, key, from, to, asOf),
  newest: ({ workspace, key }, to, asOf) => signals.newest(workspace, key, to, 1, asOf),
  async *events() {},
  responses: async () => new Map(),
});
