import { EventStoreDBClient } from '@eventstore/db-client';
import { setTimeout as pause } from 'node:timers/promises';
import { within } from './patience.js';

/** The process's client; ask for it at each call. */
export type Connection = {
  readonly client: EventStoreDBClient;
  /** Takes the place of a client that can append no more. It lives on for what else it has under way. */
  renew(failed: EventStoreDBClient): void;
};

/**
 * All clients of a process share one table of appends under way: an error of one, or its end, rejects the
 * appends of the others, stored or not, and a late answer then throws outside any promise. So there is one
 * client, and it ends with its last user.
 */
class Shared implements Connection {
  users = 0;
  client: EventStoreDBClient;
  private readonly all: EventStoreDBClient[] = [];

  constructor(readonly url: string) {
    this.client = this.connect();
  }

  renew(failed: EventStoreDBClient): void {
    if (failed === this.client) this.client = this.connect();
  }

  /** A client may wait for ever for the end of a call that is long over. */
  async dispose(): Promise<void> {
    await Promise.race([
      Promise.allSettled(this.all.map(client => client.dispose())),
      pause(DISPOSE_WITHIN_MS),
    ]);
  }

  private connect(): EventStoreDBClient {
    const client = EventStoreDBClient.connectionString(this.url);
    this.all.push(client);
    return client;
  }
}

const DISPOSE_WITHIN_MS = 1_000;
const VERSION_WITHIN_MS = 5_000;

let shared: Shared | null = null;
let ending: Promise<void> = Promise.resolve();

/** The process's connection to a server; throws when it already has one to another. */
export const takeConnection = async (url: string): Promise<Connection> => {
  await ending;
  if (/[?&]throw[-_]?on[-_]?append[-_]?failure=false/i.test(url)) {
    throw new Error(
      'throwOnAppendFailure=false is not possible: the client then answers conflicts with a wrong revision',
    );
  }
  if (shared && shared.url !== url) throw new Error('a process can use one EventStoreDB only');
  shared ??= new Shared(url);
  shared.users++;
  return shared;
};

/** To be called once for each `takeConnection`, when nothing of that user is under way any more. */
export const giveBackConnection = async (): Promise<void> => {
  if (!shared || --shared.users > 0) return;
  ending = shared.dispose();
  shared = null;
  await ending;
};

/** The version of a server, as it says when a client connects. */
export const serverVersion = async (url: string): Promise<string> => {
  const { client } = await takeConnection(url);
  try {
    return (await within(VERSION_WITHIN_MS, 'the version of the event store', client['capabilities']))
      .serverVersion;
  } finally {
    await giveBackConnection();
  }
};
