import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { projections, type Platform } from '../../main.js';
import { verify } from '../../workers/engine/verify.js';
import { withoutEarlierKeys } from '../platform.js';

/**
 * The test node in a process of its own, as a server is; its facts in a file, so that it can be killed and
 * started again.
 */
export async function eventStoreNode(file: string): Promise<{ url: string; child: ChildProcess }> {
  const main = fileURLToPath(new URL('../eventstore-node/main.js', import.meta.url));
  const child = spawn(process.execPath, [main, '--file', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>(resolve =>
    child.stdout!.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  );
  return { url: `esdb://127.0.0.1:${line.trim().split(' ')[1]}?tls=false`, child };
}

/**
 * Settings of a platform on the servers that the environment names, with a database of its own; where there
 * is no EventStoreDB, on the test node, which `end` ends.
 */
export async function serversFor(
  folder: string,
  name: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ env: Record<string, string>; end: () => void }> {
  const { EVENTSTORE_URL, MONGODB_URL } = process.env;
  const own = EVENTSTORE_URL ? null : await eventStoreNode(`${folder}/node.db`);
  const env = {
    EVENTSTORE_URL: EVENTSTORE_URL ?? own!.url,
    MONGODB_URL: MONGODB_URL!,
    MONGODB_DATABASE: `test_${name}_${process.pid}_${Date.now()}`,
    ...more,
  };
  if (EVENTSTORE_URL) await withoutEarlierKeys(env, folder);
  return { env, end: () => own?.child.kill() };
}

/** What documents say otherwise than the facts do. */
export async function differences(platform: Platform): Promise<unknown[]> {
  const found = [];
  for (const projection of projections) {
    const { events: store, models } = platform.stores;
    const run = verify({
      store,
      models,
      generations: platform.generations,
      projection,
      projector: platform.projectors.of(projection),
      graceMs: 0,
      signal: new AbortController().signal,
    });
    for (let step = await run.next(); ; step = await run.next())
      if (step.done) {
        found.push(...step.value.differences);
        break;
      }
  }
  return found;
}
