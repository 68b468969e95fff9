import {
  NO_STREAM,
  WrongExpectedVersionError,
  type AppendResult,
  type EventData,
} from '@eventstore/db-client';
import { OutcomeUnknown, StoreUnavailable, WrongRevision } from '../../commands/ports/event-store.js';
import { START, type NewFact } from '../../domain/fact.js';
import { checkedAppend } from '../checked-append.js';
import type { Connection } from './client.js';
import { isPoisoned, isRefusal, Silent, wasNeverSent } from './failures.js';
import { toEvent, toNumber } from './facts.js';
import { Gate, patiently, within, type Limits } from './patience.js';
import type { Reading } from './reading.js';

/**
 * The client puts an append into a queue of its own when 16 messages wait to be written, and when the
 * connection breaks it rejects that queue outside any promise, which ends the process. So fewer are under
 * way, each as one message.
 */
const APPENDS_AT_A_TIME = 15;
/**
 * By then the client has noticed a frozen server (after some 20 s); what is still without an answer has left.
 */
const STUCK_MS = 30_000;
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** What a fact takes in a message beyond its data, metadata and type: id, content type, tags and lengths. */
const FACT_OVERHEAD_BYTES = 160;

type Append = { readonly journal: string; readonly expected: number; readonly facts: readonly NewFact[] };

/** The append of the port over the client. */
export class Appending {
  private readonly gate = new Gate(APPENDS_AT_A_TIME);

  constructor(
    private readonly connection: Connection,
    private readonly reading: Reading,
    private readonly limits: Limits,
  ) {}

  /**
   * As the port says. A try whose outcome is open is repeated just as it was: at an exact revision that is
   * safe.
   */
  async append(journal: string, expected: number, facts: readonly NewFact[]): Promise<{ position: number }> {
    const data = checkedAppend(journal, expected, facts);
    const events = facts.map(toEvent);
    checkMessage(journal, events, data);
    let open = false;
    const again = (error: unknown): boolean => {
      const refused = error instanceof WrongExpectedVersionError || isRefusal(error);
      open ||= !refused && !wasNeverSent(error);
      return !refused;
    };
    let result: AppendResult;
    try {
      result = await patiently(this.limits, end => this.send(journal, expected, events, end), again);
    } catch (error) {
      if (error instanceof WrongExpectedVersionError)
        throw new WrongRevision(journal, expected, actualRevision(error));
      if (isRefusal(error))
        throw new Error(`an append to ${journal} was refused: ${String(error)}`, { cause: error });
      if (!open)
        throw new StoreUnavailable(`${journal} was not written: the event store cannot be reached`, {
          cause: error,
        });
      return this.lookUp({ journal, expected, facts }, error);
    }
    return { position: await this.positionOf(journal, result) };
  }

  private async send(
    journal: string,
    expected: number,
    events: EventData[],
    end: number,
  ): Promise<AppendResult> {
    await this.gate.enter(end);
    const { client } = this.connection;
    const answer = client.appendToStream(journal, events, {
      expectedRevision: expected === START ? NO_STREAM : BigInt(expected),
      batchAppendSize: 2 * MAX_MESSAGE_BYTES, // never cut in two
      requiresLeader: true,
    });
    try {
      const result = await within(this.limits.answerWithin, `appending to ${journal}`, answer);
      this.gate.leave();
      return result;
    } catch (error) {
      // what got no answer may not even have left: its place stays taken until the client gives it up
      if (error instanceof Silent)
        void within(STUCK_MS, journal, answer)
          .catch(() => {})
          .finally(() => this.gate.leave());
      else this.gate.leave();
      if (isPoisoned(error)) this.connection.renew(client);
      throw error;
    }
  }

  /**
   * A repeat whose facts are hidden by now (truncated, deleted) has no position: none can be above the last
   * of all.
   */
  private async positionOf(journal: string, { position }: AppendResult): Promise<number> {
    if (position) return toNumber(position.commit);
    try {
      return await this.reading.head();
    } catch (error) {
      throw new OutcomeUnknown(journal, error);
    }
  }

  /** The server did not say; the journal may. Facts that are not there yet may still be on their way. */
  private async lookUp({ journal, expected, facts }: Append, cause: unknown): Promise<{ position: number }> {
    const there = await this.reading.journal(journal, expected + 1, facts.length).catch(() => []);
    const first = there[0];
    if (first && first.id !== facts[0]!.id) throw new WrongRevision(journal, expected, null);
    const same = there.length === facts.length && there.every((fact, i) => fact.id === facts[i]!.id);
    if (!same) throw new OutcomeUnknown(journal, cause);
    return { position: there.at(-1)!.position };
  }
}

const actualRevision = ({ actualVersion }: WrongExpectedVersionError): number =>
  typeof actualVersion === 'bigint' ? toNumber(actualVersion) : START;

/**
 * The server ends the connection's appends over a message beyond 16 MiB; metadata counts there, though not as
 * data.
 */
const checkMessage = (journal: string, events: readonly EventData[], data: readonly string[]): void => {
  const bytes = events.reduce(
    (sum, { type, metadata }, i) =>
      sum
      + Buffer.byteLength(data[i]!)
      + Buffer.byteLength(JSON.stringify(metadata))
      + Buffer.byteLength(type)
      + FACT_OVERHEAD_BYTES,
    0,
  );
  if (bytes > MAX_MESSAGE_BYTES) {
    const most = `at most ${MAX_MESSAGE_BYTES} are possible`;
    throw new RangeError(`${bytes} bytes in one message to ${journal}, metadata included; ${most}`);
  }
};
