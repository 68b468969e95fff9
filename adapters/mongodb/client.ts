import {
  MongoBulkWriteError,
  MongoClient,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  type Db,
  type Document,
} from 'mongodb';
import { StoreUnavailable } from '../../commands/ports/event-store.js';

/** One database on a server, for all that is kept there. */
export type Connection = {
  readonly db: Db;
  readonly client: MongoClient;
  /**
   * Runs calls to the server; a server that cannot be reached, or does not answer in time, becomes
   * `StoreUnavailable`.
   */
  call<T>(work: () => Promise<T>): Promise<T>;
  /** Whether the server has transactions: a replica set or a sharded cluster has. */
  transactions(): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * For every call: the server gives up on it after this time and says so; with a server that is silent, we do
 * a little later.
 */
export const TIME_LIMIT = { maxTimeMS: 30_000 } as const;
const SILENT_MS = 40_000;

/**
 * Connects on the first call, and again by itself after every loss. Writes count when a majority has them;
 * reads go to the primary, so that what was written is seen; both whatever the address says. A member that is
 * undefined is never stored.
 */
export function connect(url: string, database: string): Connection {
  const client = new MongoClient(url, {
    appName: 'presage',
    ignoreUndefined: true,
    readPreference: 'primary',
    writeConcern: { w: 'majority', wtimeoutMS: 20_000 },
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: 5_000,
    waitQueueTimeoutMS: 10_000,
    socketTimeoutMS: SILENT_MS,
  });
  const db = client.db(database);
  const where = client.options.hosts.join(', ');
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (!unavailable(error)) throw error;
      const message = `MongoDB at ${where} cannot be reached or does not answer: ${(error as Error).message}`;
      throw new StoreUnavailable(message, { cause: error });
    }
  };
  let known: boolean | null = null;
  return {
    db,
    client,
    call,
    transactions: async () => (known ??= await call(() => hasTransactions(db))),
    close: () => client.close(),
  };
}

export const isDuplicate = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === 11000;
export const exists = (error: unknown): boolean => error instanceof MongoServerError && error.code === 48;

async function hasTransactions(db: Db): Promise<boolean> {
  try {
    const { setName, msg }: Document = await db.command({ hello: 1 });
    return setName !== undefined || msg === 'isdbgrid';
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NO_SUCH_COMMAND) return false;
    throw error;
  }
}

const NO_SUCH_COMMAND = 59;
/** Shutting down, stepping down, not the primary, out of time, not enough members. */
const UNAVAILABLE = new Set([
  6, 7, 50, 64, 89, 91, 100, 133, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436,
]);
/** Driver errors that are not exported as classes, or that follow from a loss of connection. */
const DISCONNECTED = new Set([
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoServerClosedError',
]);

function unavailable(error: unknown): boolean {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true;
  if (error instanceof MongoServerError && UNAVAILABLE.has(Number(error.code))) return true;
  // A bulk write wraps what the driver met on the way.
  if (error instanceof MongoBulkWriteError) return unavailable(error.errorResponse);
  return error instanceof Error && DISCONNECTED.has(error.name);
}
