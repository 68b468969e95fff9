import { randomUUID } from 'node:crypto';
import { heldBytes } from '../../adapters/connectors/held-bytes.js';
import { restPoll } from '../../adapters/connectors/rest-poll.js';
import { memoryKeyValue } from '../../adapters/memory.js';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import type { Outgoing, OutgoingRequest } from '../../commands/ports/outgoing.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { eventCommands } from '../../commands/events.js';
import { handler, loader, unwritten, type Context } from '../../commands/engine/handle.js';
import { intakeOf } from '../../commands/ingestion/intake.js';
import { jobCommands } from '../../commands/ingestion/jobs.js';
import { sourceCommands } from '../../commands/ingestion/sources.js';
import { signalCommands } from '../../commands/signals.js';
import type { Fact } from '../../domain/fact.js';
import { eventConfigOf } from '../../domain/ingestion/event-config.js';
import { sources } from '../../domain/ingestion/sources/decider.js';
import { signals } from '../../domain/signals/decider.js';
import { applyPage } from '../../projections/engine/apply.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { ingestionProjection } from '../../projections/ingestion/projection.js';
import { pollQueries } from '../../projections/ingestion/poll-queries.js';
import { sourceQueries } from '../../projections/ingestion/source-queries.js';
import type { Running } from '../../workers/engine/follow.js';
import { projector, type Projector } from '../../workers/engine/projector.js';
import { react } from '../../workers/engine/reactor.js';
import { SET_ASIDE } from '../../workers/engine/set-aside-facts.js';
import { firstJobs } from '../../workers/first-jobs.js';
import { polling } from '../../workers/polling.js';
import { quiet } from '../projections/world.js';
import { pagesOf } from './audit.js';
import { Deaths, type Disk } from './deaths.js';

/** What is answered to who asks for a path and query, at a time (epoch ms); null: a 503. */
export type Answers = (url: URL, now: number) => unknown;

const WORKSPACE = 'w';

/** Jobs, runs, their scheduler and read models, real ones, in processes that die as planned. */
export class PollingLife {
  readonly deaths: Deaths;
  /** Epoch ms; stands until it is moved, and outlives a process. */
  now = Date.UTC(2026, 4, 4);
  #store!: EventStore;
  #raw!: EventStore;
  #models!: ReadModels;
  #running: Running[] = [];
  #projector!: Projector;

  constructor(
    readonly disk: Disk,
    plan: readonly number[],
    readonly answers: Answers,
  ) {
    this.deaths = new Deaths(plan);
  }

  async begin(): Promise<void> {
    this.deaths.begin();
    const { events, models } = this.disk.open(this.deaths.before);
    this.#raw = events;
    this.#store = this.deaths.events(events);
    this.#models = this.deaths.models(models);
    await models.prepare([...collectionsOf(ingestionProjection, 0), SET_ASIDE]);
    const clock = (): number => this.now;
    const [newId, log, store] = [randomUUID, quiet, this.#store];
    const base = { store, models: this.#models, clock, log };
    const [handle, load] = [handler(store, newId), loader(store)];
    const read = reader(this.#models, ingestionProjection, () => 0);
    const [jobs, queries] = [jobCommands(handle), sourceQueries(read)];
    const known = signalCommands(handle, async (_, of) => of.map(() => unwritten(signals)));
    const reacting = { ...base, kv: memoryKeyValue(clock), deps: { handle, load } };
    this.#projector = projector({ ...base, projection: ingestionProjection, generationOf: () => 0 });
    this.#running = [
      react(firstJobs(jobs), reacting),
      polling({
        ...{ jobs, clock, newId, log, queries: pollQueries(read) },
        sources: sourceCommands(handle, load, 'here'),
        intake: intakeOf(eventCommands(handle), known),
        connectors: new Map([['rest_poll', restPoll(this.#outside(), heldBytes())]]),
        allowance: { refusal: async () => null, wrote: () => undefined },
        shown: async () => undefined,
        isAsked: async (workspace, id) => (await queries.source(workspace, id)) !== null,
        visible: async position => position === null || this.#projector.caughtUp(position, 1_000),
      }),
      this.#projector,
    ];
  }

  /** The other side does not die with us, and knows what time it is. */
  #outside(): Pick<Outgoing, 'send' | 'refusal'> {
    return {
      refusal: async () => null,
      send: async ({ url }: OutgoingRequest) => {
        const body = this.answers(new URL(url), this.now);
        if (body === null) return { status: 503, body: Buffer.alloc(0) };
        return { status: 200, body: Buffer.from(JSON.stringify(body)) };
      },
    };
  }

  /** A source that is asked for pages at `https://there.test/<name>`. */
  async source(name: string, kind: 'event' | 'signal', idPath: string | null): Promise<void> {
    const config = {
      ...{ url: `https://there.test/${name}`, max_pages: 50, interval_seconds: 300 },
      ...{ cursor_path: 'next', cursor_param: 'after' },
    };
    const eventConfig = eventConfigOf({ stream: name, array_path: 'items', id_path: idPath });
    const of = { workspace: WORKSPACE, sourceId: `src_${name}`, name, connectorId: 'rest_poll', kind };
    const data = { ...of, mode: 'poll', config, shown: config, eventConfig, secret: null } as const;
    await handler(this.#store, randomUUID)(sources, { type: 'CreateSource', data }, this.#context());
  }

  #context(): Context {
    const by = { workspace: WORKSPACE, actor: 'token:t', request: null };
    return { ...by, correlation: 'c', causation: null, at: this.now };
  }

  /** Works until the facts are as they should be; as often as it dies, the next process goes on. */
  async until(isSo: (facts: readonly Fact[]) => boolean): Promise<void> {
    while (!isSo(await this.facts()))
      if (this.deaths.dead) await this.again();
      else await new Promise(resolve => setTimeout(resolve, 5));
  }

  /** Does something that a process may die of, until it is done. */
  async insist(work: () => Promise<void>): Promise<void> {
    for (let done = false; !done; ) {
      done = await work().then(
        () => true,
        () => false,
      );
      if (!done) await this.again();
    }
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

  /** All there are, as the disk has them. */
  async facts(): Promise<Fact[]> {
    const facts: Fact[] = [];
    for await (const fact of pagesOf(this.#raw)) facts.push(fact);
    return facts;
  }

  /** All documents as text: as they are once all is projected, and as a replay makes them. */
  async documents(): Promise<{ readonly stored: string; readonly replayed: string }> {
    while (!(await this.#projector.caughtUp(await this.#raw.head(), 50).catch(() => false)))
      if (this.deaths.dead) await this.again();
    const anew = memoryReadModels();
    await anew.prepare(collectionsOf(ingestionProjection, 0));
    for await (const fact of pagesOf(this.#raw)) await applyPage(ingestionProjection, anew, 0, [fact]);
    return { stored: await textOf(this.#models), replayed: await textOf(anew) };
  }
}

async function textOf(models: ReadModels): Promise<string> {
  const all = collectionsOf(ingestionProjection, 0).map(async ({ name }) => [
    name,
    await models.find(name, { where: {}, sort: { by: ['_id'] } }),
  ]);
  return JSON.stringify(await Promise.all(all), null, 1);
}
