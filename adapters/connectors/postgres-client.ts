import { Socket } from 'node:net';
import pg from 'pg';
import { PollFailed } from '../../commands/ingestion/connectors.js';
import type { Cursor } from '../../domain/ingestion/polls/execution-facts.js';
import type { Outgoing } from '../../commands/ports/outgoing.js';

export type Address = {
  readonly host: string;
  readonly port?: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** `require`: by TLS, whoever answers. */
  readonly ssl?: 'verify-full' | 'require' | 'disable';
  /** PEM of who signed the server's certificate, where that is nobody known. */
  readonly ca?: string;
};

export type Guarded = {
  readonly client: pg.Client;
  /** At once, whatever is under way. */
  readonly hangUp: () => void;
  readonly bytesRead: () => number;
  /** Hangs up on a server that says too much while something is asked. */
  readonly bounded: <T>(asked: Promise<T>) => Promise<T>;
};

/** So much may come for one question, more or less. */
const MAX_BYTES = 20 * 1_024 * 1_024;
const LOOKED_AT_EVERY_MS = 20;

/**
 * A client, not yet connected, of the server at an address that was looked at. Everything is said here: what
 * is left out the package would take from the environment or the files of who runs the platform.
 * @throws OutgoingFailed
 */
export async function guardedClient(
  outgoing: Pick<Outgoing, 'addressOf'>,
  { host, port = 5_432, database, user, password = '', ssl = 'verify-full', ca }: Address,
  timeoutMs: number,
): Promise<Guarded> {
  const address = await outgoing.addressOf(host, ssl !== 'disable');
  const socket = socketTo(address);
  const client = new pg.Client({
    ...{ host, port, database, user, password: () => password },
    stream: () => socket,
    ssl: ssl === 'disable' ? false : { rejectUnauthorized: ssl === 'verify-full', ...(ca && { ca }) },
    sslnegotiation: 'postgres',
    ...{ statement_timeout: timeoutMs, query_timeout: timeoutMs, connectionTimeoutMillis: timeoutMs },
    idle_in_transaction_session_timeout: 600_000,
    options: '-c DateStyle=ISO -c TimeZone=UTC -c extra_float_digits=1',
    application_name: 'presage',
    client_encoding: 'UTF8',
    types: { getTypeParser: ((oid: number) => parsers[oid] ?? asText) as typeof pg.types.getTypeParser },
  });
  // What ends the connection between two queries is told by the next one
  client.on('error', () => undefined);
  const bytesRead = () => socket.bytesRead;
  const hangUp = () => socket.destroy(new Error('ended'));
  return { client, hangUp, bytesRead, bounded: asked => bounded(socket, asked) };
}

async function bounded<T>(socket: Socket, asked: Promise<T>): Promise<T> {
  const from = socket.bytesRead;
  const tooMuch = new PollFailed('too_large', `The server sent more than ${MAX_BYTES} bytes at once`);
  const look = setInterval(() => {
    if (socket.bytesRead - from > MAX_BYTES) socket.destroy(tooMuch);
  }, LOOKED_AT_EVERY_MS);
  try {
    return await asked;
  } catch (error) {
    throw socket.bytesRead - from > MAX_BYTES ? tooMuch : error;
  } finally {
    clearInterval(look);
  }
}

/** Connects to the address, whatever host it is told. */
function socketTo(address: string): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  const toAddress = (port: unknown) => connect({ port: Number(port), host: address });
  return Object.assign(socket, { connect: toAddress });
}

const asText = (text: string): Cursor => text;
const asNumber = (text: string): Cursor => {
  const value = Number(text);
  const isExact = !/^-?\d+$/.test(text) || Number.isSafeInteger(value);
  return Number.isFinite(value) && isExact ? value : text;
};
const { BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC } = pg.types.builtins;
const parsers: Readonly<Record<number, (text: string) => Cursor>> = {
  [BOOL]: text => text === 't',
  ...Object.fromEntries([INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC].map(type => [type, asNumber])),
};
