import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Fact } from '../../domain/fact.js';
import type { Commit, ReadModels, Stored } from '../../projections/engine/read-models.js';
import { isPassing, messageOf } from './failures.js';
import { retryRequests, type RetryRequests } from './retry-requests.js';
import { failedAgain, newlySetAside, SET_ASIDE, setAsideId, type SetAsideFact } from './set-aside-facts.js';

type Options = {
  readonly reactor: string;
  readonly models: ReadModels;
  readonly kv: KeyValue;
  /** Epoch ms. */
  readonly clock: () => number;
  /** Pauses before each further attempt, ms; a fact that fails after the last one is parked. */
  readonly pauses: readonly number[];
};
type Document = Stored<SetAsideFact>;
/** `failures`: of this process, whatever their reason. `dueAt`: by a clock that nobody sets. */
type Waiting = { readonly doc: Document; readonly failures: number; readonly dueAt: number };

/** So many facts may wait; with more, the reactor takes no new ones. */
const MAX_WAITING = 1_000;
/** What is shared comes back, and is then missed by many: nobody waits for it longer than this at a time. */
const LONGEST_PASSING_PAUSE_MS = 5_000;
const LOOK_FOR_RETRIES_EVERY_MS = 1_000;
const SAME_AGAIN_AFTER_MS = 60_000;

/**
 * The facts that one reactor failed at. They wait, each with growing pauses, while the reactor goes on; those
 * that keep failing for a reason of their own are parked. `changes` says what must be written with the
 * reactor's checkpoint; after a commit that failed, `load` starts from what was written.
 */
export class SetAside {
  readonly #options: Options;
  #waiting = new Map<string, Waiting>();
  #parked = new Set<string>();
  readonly #changed = new Map<string, Document | null>();
  readonly #requests: RetryRequests;
  #lookAt = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#requests = retryRequests(options.kv, options.reactor, options.clock);
  }

  async load(): Promise<void> {
    const { models, reactor } = this.#options;
    const found = (state: string, fields?: readonly string[]) =>
      models.find<SetAsideFact>(SET_ASIDE.name, { where: { reactor, state }, ...(fields && { fields }) });
    const [waiting, parked] = await Promise.all([found('waiting'), found('parked', ['fact_id'])]);
    const known = this.#waiting;
    this.#waiting = new Map(
      waiting.map(doc => [doc.fact_id, { failures: 0, dueAt: 0, ...known.get(doc.fact_id), doc }]),
    );
    this.#parked = new Set(parked.map(({ fact_id }) => fact_id));
    this.#changed.clear();
    this.#requests.giveBack();
  }

  has(factId: string): boolean {
    return this.#waiting.has(factId) || this.#parked.has(factId);
  }

  /** How many more facts may be set aside. */
  room(): number {
    return Math.max(0, MAX_WAITING - this.#waiting.size);
  }

  waiting = (): number => this.#waiting.size;

  /** Ms until there is something to do here; infinite while there is nothing. */
  dueIn(): number {
    if (this.#isIdle()) return Number.POSITIVE_INFINITY;
    let next = this.#lookAt;
    for (const { dueAt } of this.#waiting.values()) next = Math.min(next, dueAt);
    return Math.max(0, next - performance.now());
  }

  /** The facts whose pause is over, at most `limit`, those first that have waited longest. */
  due(limit: number): Document[] {
    const now = performance.now();
    return [...this.#waiting.values()]
      .filter(({ dueAt }) => dueAt <= now)
      .sort((a, b) => a.dueAt - b.dueAt)
      .slice(0, limit)
      .map(({ doc }) => doc);
  }

  done(factId: string): void {
    if (!this.has(factId)) return;
    this.#waiting.delete(factId);
    this.#changed.set(setAsideId(this.#options.reactor, factId), null);
  }

  /** Sets a fact aside, or leaves it there; answers how it stands now, and the ms until it is tried again. */
  failed(fact: Fact | Document, error: unknown): { readonly doc: Document; readonly retryInMs: number } {
    const { reactor, clock, pauses } = this.#options;
    const now = clock();
    const passing = isPassing(error);
    const known = 'fact_id' in fact ? fact : newlySetAside(reactor, fact, now);
    const doc = failedAgain(known, { now, error: messageOf(error), passing, most: pauses.length + 1 });
    const failures = 1 + (this.#waiting.get(doc.fact_id)?.failures ?? 0);
    const pause = pauses[Math.min(passing ? failures : doc.attempts, pauses.length) - 1] ?? 0;
    const retryInMs = passing ? Math.min(pause, LONGEST_PASSING_PAUSE_MS) : pause;
    const dueAt = performance.now() + retryInMs;
    // While a store is away for all, nothing is worth a write that says the same again
    if (passing && known.error === doc.error && now - known.last_failed_at < SAME_AGAIN_AFTER_MS)
      this.#waiting.set(doc.fact_id, { doc: known, failures, dueAt });
    else this.#put(doc, { failures, dueAt });
    return { doc, retryInMs };
  }

  /** Looks, now and then, whether an operator asked for facts to be tried again: they are due at once. */
  async takeRetries(): Promise<void> {
    if (this.#isIdle() || performance.now() < this.#lookAt) return;
    this.#lookAt = performance.now() + LOOK_FOR_RETRIES_EVERY_MS;
    const { models, reactor } = this.#options;
    const asked = await this.#requests.take(Math.max(1, this.room()));
    const ids = asked.map(factId => setAsideId(reactor, factId));
    for (const doc of (await models.load<SetAsideFact>(SET_ASIDE.name, ids)).values())
      this.#put({ ...doc, state: 'waiting', attempts: 0 }, { failures: 0, dueAt: 0 });
  }

  /** What changed since the last commit. */
  changes(): Commit['changes'] {
    if (this.#changed.size === 0) return [];
    const put = [...this.#changed.values()].filter(doc => doc !== null);
    const remove = [...this.#changed.keys()].filter(id => this.#changed.get(id) === null);
    return [{ collection: SET_ASIDE.name, put, remove }];
  }

  /** To be called when the changes are written. */
  committed(): void {
    this.#changed.clear();
  }

  #isIdle(): boolean {
    return this.#waiting.size + this.#parked.size === 0 && !this.#requests.pending();
  }

  #put(doc: Document, { failures, dueAt }: Omit<Waiting, 'doc'>): void {
    const { fact_id: factId } = doc;
    this.#changed.set(doc._id, doc);
    if (doc.state === 'parked') this.#waiting.delete(factId);
    else this.#waiting.set(factId, { doc, failures, dueAt });
    if (doc.state === 'parked') this.#parked.add(factId);
    else this.#parked.delete(factId);
  }
}
