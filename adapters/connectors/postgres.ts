import pg from 'pg';
import {
  partsOf,
  PollFailed,
  type Connector,
  type PolledPage,
  type Polling,
} from '../../commands/ingestion/connectors.js';
import { OutgoingFailed, type Outgoing } from '../../commands/ports/outgoing.js';
import { parseExactly } from '../../domain/exact-json.js';
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
/** As many rows as are thought to have so many bytes are asked for at once. */
const BYTES_A_PAGE = 4 * 1_024 * 1_024;
/** Where a page was too large, so much fewer rows are asked for. */
const FEWER = 8;
const MOST_PAGES = 1_000;
/** A cursor goes into facts. */
const LONGEST_CURSOR = 2_000;
/** The column in which each row brings its cursor as text; taken out of it again. */
const AS_TEXT = 'presage_cursor_as_text';

/** Reads what a query of a PostgreSQL server answers, within one transaction that can write nothing. */
export function postgres(outgoing: Pick<Outgoing, 'addressOf'>, held: HeldBytes): Connector {
  return {
    pages: polling => wholePages(outgoing, held, polling),
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
 * All pages, also where the rows of one are too large to come at once: a server that sent too much was hung
 * up on, so it is asked again, for fewer rows, from the last cursor on (without a `cursor_column` from the
 * beginning).
 */
async function* wholePages(
  outgoing: Pick<Outgoing, 'addressOf'>,
  held: HeldBytes,
  polling: Polling,
): AsyncIterable<PolledPage> {
  let { cursor, pagesRead } = polling;
  const rows = { next: ROWS_A_PAGE, most: ROWS_A_PAGE };
  for (;;) {
    try {
      for await (const page of session(outgoing, held, { ...polling, cursor, pagesRead }, rows)) {
        yield page;
        cursor = page.cursor ?? cursor;
        pagesRead++;
      }
      return;
    } catch (error) {
      if (!(error instanceof PollFailed) || error.code !== 'too_large' || rows.next === 1) throw error;
      // Never more again in this run: it would come to the same rows with the same number, again and again
      rows.next = rows.most = Math.ceil(rows.next / FEWER);
    }
  }
}

async function* session(
  outgoing: Pick<Outgoing, 'addressOf'>,
  held: HeldBytes,
  polling: Polling,
  rows: Rows,
): AsyncIterable<PolledPage> {
  const config = polling.config as Config;
  const { timeout_seconds: seconds = TIMEOUT_SECONDS } = config;
  const guarded = await guardedClient(outgoing, config, seconds * SECOND);
  const { client, hangUp } = guarded;
  polling.signal.addEventListener('abort', hangUp, { once: true });
  try {
    await told(client.connect());
    yield* pages(guarded, held, polling, rows);
  } finally {
    polling.signal.removeEventListener('abort', hangUp);
    await client.end();
  }
}
/** How many rows are asked for next, and at most. */
type Rows = { next: number; most: number };

/** As many as were of about so many bytes. */
const rowsAfter = (asked: number, bytes: number, most: number): number =>
  Math.max(1, Math.min(most, Math.floor((asked * BYTES_A_PAGE) / Math.max(1, bytes))));

/**
 * Rows are read by a cursor of the server, so that it sorts once and memory stays flat. Those with the value
 * that was read last are read again: more may have come with it. Without a `cursor_column` every run reads
 * everything.
 */
async function* pages(
  guarded: Guarded,
  held: HeldBytes,
  polling: Polling,
  rows: Rows,
): AsyncIterable<PolledPage> {
  const { client, bounded, bytesRead } = guarded;
  const { text, values } = selectOf(polling.config as Config, polling.cursor);
  await told(client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'));
  // Under a name it may be one statement alone: further ones could end the transaction, and write
  const declare = `DECLARE polled NO SCROLL CURSOR FOR ${text}`;
  await told(client.query({ name: 'declare', text: declare, values }));
  for (let page = polling.pagesRead; page < MOST_PAGES; page++) {
    const before = bytesRead();
    const asked = rows.next;
    const answer = await told(bounded(client.query<Row>(`FETCH ${asked} FROM polled`)));
    const bytes = bytesRead() - before;
    const letGo = await held(bytes, polling.signal);
    try {
      const isLast = answer.rows.length < asked || page === MOST_PAGES - 1;
      const cursor = cursorIn(answer.rows);
      const items = itemsIn(answer);
      yield { parts: partsOf(items), cursor, bytes, isLast };
      if (isLast) return;
      // Who took the page may still hold it while the next is waited for
      items.length = 0;
      answer.rows.length = 0;
    } finally {
      letGo();
    }
    rows.next = rowsAfter(asked, bytes, rows.most);
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
    return typeof value === 'string' ? (parseExactly(value) as Cursor) : value;
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
