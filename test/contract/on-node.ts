import { EventStoreDBClient, jsonEvent, type AppendResult } from '@eventstore/db-client';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventStoreDb, type EventStoreDbOptions } from '../../adapters/eventstoredb/event-store.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import { startNode, type NodeOptions, type TestNode } from '../eventstore-node/node.js';

/** The adapter's patience for tests: a few tries. */
export const SHORT = { answerWithin: 400, patience: 2_500 };
/** For tests that keep the server busy. */
export const LONG = { answerWithin: 10_000, patience: 60_000 };

/** Another program on the same server. */
export type OtherProgram = {
  client: EventStoreDBClient;
  /** Over the unary call: the batch call shares its table of appends with every client of the process. */
  append(journal: string, type: string, more?: { id?: string; metadata?: unknown }): Promise<AppendResult>;
};

export type OnNode = { node: TestNode; store: EventStore; other: OtherProgram };

/** Runs `work` with a test node, the adapter on it and another program; ends all of them. */
export const onNode = async (
  options: NodeOptions & Partial<EventStoreDbOptions>,
  work: (on: OnNode) => Promise<void>,
): Promise<void> => {
  const node = await startNode(options);
  const store = await eventStoreDb({ ...SHORT, ...options, url: node.address });
  const client = EventStoreDBClient.connectionString(node.address);
  const append: OtherProgram['append'] = (journal, type, more = {}) =>
    client.appendToStream(journal, jsonEvent({ type, data: {}, ...more }), {
      credentials: { username: 'admin', password: 'changeit' },
    });
  try {
    await work({ node, store, other: { client, append } });
  } finally {
    await store.close();
    await client.dispose();
    node.stop();
  }
};

/** Runs `work` with a new folder and removes it. */
export const inFolder = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'eventstore-node-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};

export type NodeProcess = {
  port: number;
  kill(): Promise<void>;
  /** SIGKILL, and again on the same file and port. */
  restart(): Promise<void>;
  freeze(): void;
  thaw(): void;
};

/** A test node as a process of its own. */
export const spawnNode = async (file: string): Promise<NodeProcess> => {
  let { child, port } = await startProcess(file, 0);
  const kill = async (): Promise<void> => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    port,
    kill,
    async restart() {
      await kill();
      ({ child } = await startProcess(file, port));
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
  };
};

const startProcess = async (file: string, port: number): Promise<{ child: ChildProcess; port: number }> => {
  const main = fileURLToPath(new URL('../eventstore-node/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, '--file', file, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(/PORT (\d+)/.exec(line.toString())![1]) };
};
