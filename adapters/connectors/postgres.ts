import pg from 'pg';
import {
  PollFailed,
  type Connector,
  type PolledPage,
  type Polling,
} from '../../commands/ingestion/connectors.js';
import { OutgoingFailed, type Outgoing } from '../../commands/ports/outgoing.js';
import type { Cursor } from '../../domain/ingestion/polls/execution-facts.js';
import { SECOND } from '../../domain/time.js';
import type { HeldBytes } from './held-bytes.js';
import { guardedClient, type Address, type Guarded } from './postgres-client.js';

type Config = Address & {
  readonly query: string;
  readonly cursor_column?: string;
  readonly timeout_seconds?: number;
};

const TIMEOUT_SECONDS = 20;
const ROWS_A_PAGE = 1_000;
const MOST_PAGES = 1_000;
/** A cursor goes into facts. */
const LONGEST_CURSOR = 2_000;
/** The column in which each row brings its cursor as text; taken out of it again. */
const AS_TEXT = 'presage_cursor_as_text';

/** Reads what a query of a PostgreSQL server answers, within one transaction that can write nothing. */
export function postgres(outgoing: Pick<Outgoing, 'addressOf'>, held: HeldBytes): Connector {
  return {
    async *pages(polling) {
      const config = polling.config as Config;
      const { timeout_seconds: seconds = TIMEOUT_SECONDS } = config;
      const guarded = await guardedClient(outgoing, config, seconds * SECOND);
      const { client, hangUp } = guarded;
      polling.signal.addEventListener('abort', hangUp, { once: true });
      try {
        await told(client.connect());
        yield* pages(guarded, held, polling);
      } finally {
        polling.signal.removeEventListener('abort', hangUp);
        await client.end();
      }
    },
    async refusal(config) {
      const { host, ssl } = config as Config;
      try {
        await outgoing.addressOf(host, ssl !== 'disable');
        return null;
      } catch (error) {
        const isRefused = error instanceof OutgoingFailed && error.reason === 'address_not_allowed';
        return isRefused ? { field: 'host', message: REFUSED } : null;
      }
    },
  };
}
const REFUSED = 'is no address of the public internet, or would be asked without TLS';

/**
 * Rows are read by a cursor of the server, so that it sorts once and memory stays flat. Those with the value
 * that was read last are read again: more may have come with it. Without a `cursor_column` every run reads
 * everything.
 */
async function* pages(guarded: Guarded, held: HeldBytes, polling: Polling): AsyncIterable<PolledPage> {
  const { client, bounded, bytesRead } = guarded;
  const { text, values } = selectOf(polling.config as Config, polling.cursor);
  await told(client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'));
  // Under a name it may be one statement alone: further ones could end the transaction, and write
  const declare = `DECLARE polled NO SCROLL CURSOR FOR ${text}`;
  await told(client.query({ name: 'declare', text: declare, values }));
  for (let page = polling.pagesRead; page < MOST_PAGES; page++) {
    const before = bytesRead();
    const answer = await told(bounded(client.query<Row>(`FETCH ${ROWS_A_PAGE} FROM polled`)));
    const bytes = bytesRead() - before;
    const letGo = await held(bytes, polling.signal);
    try {
      const isLast = answer.rows.length < ROWS_A_PAGE || page === MOST_PAGES - 1;
      const cursor = cursorIn(answer.rows);
      const items = itemsIn(answer);
      yield { items, cursor, bytes, isLast };
      if (isLast) return;
      // Who took the page may still hold it while the next is waited for
      items.length = 0;
      answer.rows.length = 0;
    } finally {
      letGo();
    }
  }
}
type Row = Readonly<Record<string, Cursor>>;

/** Of the last row. @throws PollFailed where it is too long for facts */
function cursorIn(rows: readonly Row[]): Cursor {
  const cursor = rows.at(-1)?.[AS_TEXT] ?? null;
  if (String(cursor).length <= LONGEST_CURSOR) return cursor;
  const most = `more than ${LONGEST_CURSOR} characters`;
  throw new PollFailed('invalid_data', `A value of the cursor_column has ${most}`);
}

const JSON_TYPES: readonly number[] = [pg.types.builtins.JSON, pg.types.builtins.JSONB];

/** JSON, which takes far more memory than its text, is parsed here and not as it comes. @throws PollFailed */
function itemsIn({ rows, fields }: pg.QueryResult<Row>): Row[] {
  // Of columns with the same name the last counts, as in the rows
  const types = new Map(fields.map(({ name, dataTypeID }) => [name, dataTypeID]));
  const ofJson = [...types.keys()].filter(name => JSON_TYPES.includes(types.get(name)!));
  return rows.map(({ [AS_TEXT]: _, ...item }) => ({
    ...item,
    ...Object.fromEntries(ofJson.map(name => [name, jsonOf(item[name]!)])),
  }));
}

function jsonOf(value: Cursor): Cursor {
  try {
    return typeof value === 'string' ? (JSON.parse(value) as Cursor) : value;
  } catch {
    throw new PollFailed('invalid_data', 'A column of JSON holds something else');
  }
}

function selectOf({ query, cursor_column: column }: Config, cursor: Cursor) {
  // The line end closes a comment in which the query may end
  const from = `FROM (${query.trim().replace(/;$/, '')}\n) AS polled`;
  if (column === undefined) return { text: `SELECT * ${from}`, values: [] };
  const name = pg.escapeIdentifier(column);
  const where = cursor === null ? `${name} IS NOT NULL` : `${name} >= $1`;
  const text = `SELECT *, ${name}::text AS ${AS_TEXT} ${from} WHERE ${where} ORDER BY ${name}`;
  return { text, values: cursor === null ? [] : [String(cursor)] };
}

/**
 * What the server says is told to who wrote the query; it never repeats a password. @throws PollFailed,
 * OutgoingFailed
 */
async function told<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof PollFailed || error instanceof OutgoingFailed) throw error;
    if (error instanceof pg.DatabaseError)
      throw new PollFailed('query_failed', `${error.message} (${error.code})`, { cause: error });
    const message = error instanceof Error ? error.message : String(error);
    const reason = /timeout/i.test(message) ? 'timed_out' : 'unreachable';
    throw new OutgoingFailed(reason, message, { cause: error });
  }
}
