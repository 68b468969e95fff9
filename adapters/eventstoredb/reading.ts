import {
  BACKWARDS,
  END,
  FORWARDS,
  START as FIRST,
  type AllStreamResolvedEvent,
  type Position,
  type ReadAllOptions,
  type RecordedEvent,
  type ResolvedEvent,
  type StreamingRead,
} from '@eventstore/db-client';
import { StoreUnavailable } from '../../commands/ports/event-store.js';
import { START, type Fact } from '../../domain/fact.js';
import type { Connection } from './client.js';
import { isMissing, mayPass, Silent } from './failures.js';
import { positionOf, toFact } from './facts.js';
import { Gate, patiently, type Limits } from './patience.js';

/**
 * One connection carries 100 calls; beyond that they wait without a word. The others are for appends and the
 * bell.
 */
const READS_AT_A_TIME = 50;
/** Few enough to be quick, enough to step over what is not ours. */
const LEAST_PAGE = 32;

const onLeader = { requiresLeader: true } as const;

/**
 * The reads of the port over the client; every one is given up when the server falls silent, and tried again.
 */
export class Reading {
  private readonly gate = new Gate(READS_AT_A_TIME);

  constructor(
    private readonly connection: Connection,
    private readonly limits: Limits,
  ) {}

  /** The facts of a journal from a revision on, `count` at most. */
  async journal(journal: string, from = 0, count = Number.MAX_SAFE_INTEGER): Promise<Fact[]> {
    const facts: Fact[] = [];
    for (let fromRevision = BigInt(from); ; ) {
      const maxCount = count - facts.length;
      const events = await this.tried(`reading ${journal}`, () =>
        this.connection.client.readStream(journal, { fromRevision, maxCount, ...onLeader }),
      );
      facts.push(...toFacts(events));
      if (facts.length === count || events.length < maxCount) return facts;
      fromRevision = events.at(-1)!.revision + 1n;
    }
  }

  async page(after: number, limit: number): Promise<Fact[]> {
    if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError(`not a size of a page: ${limit}`);
    const maxCount = Math.max(limit + 1, LEAST_PAGE); // forwards the position itself is read too
    for (let from = after; ; ) {
      const events = await this.all({
        direction: FORWARDS,
        fromPosition: from === START ? FIRST : toPosition(from),
        maxCount,
      });
      const facts = toFacts(events.filter(event => positionOf(event) > from)).slice(0, limit);
      if (facts.length > 0 || events.length < maxCount) return facts;
      from = positionOf(events.at(-1)!);
    }
  }

  async head(): Promise<number> {
    let from: ReadAllOptions['fromPosition'] = END;
    for (;;) {
      const events = await this.all({ direction: BACKWARDS, fromPosition: from, maxCount: LEAST_PAGE });
      const last = events.find(event => toFact(event) !== null);
      if (last) return positionOf(last);
      if (events.length < LEAST_PAGE) return START;
      from = toPosition(positionOf(events.at(-1)!)); // backwards the position itself is not read
    }
  }

  private all(options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.tried('reading all facts', () => this.connection.client.readAll({ ...options, ...onLeader }));
  }

  private async tried(what: string, open: () => Read): Promise<RecordedEvent[]> {
    try {
      return await patiently(this.limits, end => this.attempt(end, open), mayPass);
    } catch (error) {
      if (isMissing(error)) return [];
      if (mayPass(error))
        throw new StoreUnavailable(`${what}: the event store does not answer`, { cause: error });
      throw new Error(`${what}: the event store refused`, { cause: error });
    }
  }

  private async attempt(end: number, open: () => Read): Promise<RecordedEvent[]> {
    await this.gate.enter(end);
    return gather(open(), this.limits.answerWithin).finally(() => this.gate.leave());
  }
}

type Read = StreamingRead<ResolvedEvent | AllStreamResolvedEvent>;

const toFacts = (events: readonly RecordedEvent[]): Fact[] =>
  events.map(toFact).filter(fact => fact !== null);

const toPosition = (position: number): Position => ({ commit: BigInt(position), prepare: BigInt(position) });

/**
 * All events of a read. One that falls silent for longer than `silence` ms is cancelled: it would hold its
 * call for ever.
 */
const gather = (read: Read, silence: number): Promise<RecordedEvent[]> =>
  new Promise((resolve, reject) => {
    const events: RecordedEvent[] = [];
    const timer = setTimeout(() => {
      read.cancel().catch(() => {}); // there was no call to cancel
      reject(new Silent(`no answer within ${silence} ms`));
    }, silence);
    read.on('data', ({ event }: ResolvedEvent) => {
      if (event) events.push(event);
      timer.refresh();
    });
    // the listeners stay: an error that comes after the end, and finds none, would end the process
    read.on('error', error => {
      clearTimeout(timer);
      reject(error);
    });
    read.on('end', () => {
      clearTimeout(timer);
      resolve(events);
    });
  });
