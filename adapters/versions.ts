import Libsql from 'libsql';
import type { Config } from '../config.js';

/** What the two stores are, in words for an operator: the product and its version. */
export async function versionsOf({
  EVENTSTORE_URL,
  MONGODB_URL,
}: Config): Promise<{ events: string; models: string }> {
  const [events, models] = await Promise.all([
    EVENTSTORE_URL ? eventStoreDb(EVENTSTORE_URL) : embedded(),
    MONGODB_URL ? mongoDb(MONGODB_URL) : embedded(),
  ]);
  return { events, models };
}

function embedded(): string {
  const db = new Libsql(':memory:');
  try {
    const [[version]] = db.prepare('SELECT sqlite_version()').raw().all() as [[string]];
    return `embedded (SQLite ${version})`;
  } finally {
    db.close();
  }
}

/** Asked through the client that the process has: a second one would disturb its appends. */
async function eventStoreDb(url: string): Promise<string> {
  const { serverVersion } = await import('./eventstoredb/client.js');
  return `EventStoreDB ${await serverVersion(url)}`;
}

async function mongoDb(url: string): Promise<string> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(url, {
    appName: 'presage',
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: 5_000,
  });
  try {
    const { version } = await client.db('admin').command({ buildInfo: 1 });
    return `MongoDB ${String(version)}`;
  } finally {
    await client.close();
  }
}
