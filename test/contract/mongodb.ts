import { randomUUID } from 'node:crypto';
import { connect } from '../../adapters/mongodb/client.js';
import { openMongo } from '../../adapters/mongodb/open.js';
import type { Opened } from './opened.js';

export type Mongo = ReturnType<typeof openMongo>;

/** Opens one of the two ports on a database that is this run's alone, and goes with it. */
export async function openedOn<S>(
  url: string,
  clock: () => number,
  port: (mongo: Mongo) => S,
): Promise<Opened<S>> {
  const database = newDatabase();
  let mongo = openMongo({ url, database, clock });
  return {
    store: port(mongo),
    async reopen() {
      await mongo.close();
      mongo = openMongo({ url, database, clock });
      return port(mongo);
    },
    async close() {
      await mongo.close();
      await dropDatabase(url, database);
    },
  };
}

export const newDatabase = (): string => `presage_test_${randomUUID().slice(0, 8)}`;

export async function dropDatabase(url: string, database: string): Promise<void> {
  const { db, close } = connect(url, database);
  try {
    await db.dropDatabase();
  } finally {
    await close();
  }
}
