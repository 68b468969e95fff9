import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../platform.js';

/** The command as people run it: a process of its own. */

const entry = fileURLToPath(new URL('../../cli/presage.js', import.meta.url));

export type Env = Readonly<Record<string, string>>;
export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
export type Started = {
  readonly child: ChildProcess;
  /** All of stdout, or stderr, so far. */
  readonly said: { stdout: string; stderr: string };
  /** Resolves when stdout holds a text; rejects when the process ends before. */
  readonly says: (text: string) => Promise<void>;
  readonly ended: Promise<Ended>;
  /** Sends a signal and waits for the end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>;
};

const folders: string[] = [];
/** A folder of its own for the data of a test, with what lies in it gone at the end. */
export function dataFolder(name = 'data'): string {
  const folder = mkdtempSync(join(tmpdir(), 'presage-test-'));
  folders.push(folder);
  return join(folder, name);
}
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const alive = new Set<ChildProcess>();
/** For the end of a suite: a test that failed may have left some. */
export function endAll(): void {
  for (const child of alive) child.kill('SIGKILL');
}
process.on('exit', endAll);

export function start(args: readonly string[], env: Env): Started {
  const child = spawn(process.execPath, [entry, ...args], {
    env: { PATH: process.env['PATH'], PORT: '0', SCORER_THREADS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.stderr += chunk.toString();
  });
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, ...said }));
  alive.add(child);
  void ended.then(() => alive.delete(child));
  return {
    child,
    said,
    ended,
    async says(text) {
      const early = ended.then(() => {
        if (!said.stdout.includes(text))
          throw new Error(`it ended without '${text}': ${said.stdout}${said.stderr}`);
      });
      const heard = new Promise<void>(resolve => {
        const look = (): void => {
          if (said.stdout.includes(text)) resolve();
        };
        child.stdout.on('data', look);
        look();
      });
      await Promise.race([heard, early]);
    },
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs it to its end; a platform that starts, where none was expected, is ended at once. */
export function presage(args: readonly string[], env: Env): Promise<Ended> {
  const started = start(args, env);
  if (args[0] === 'serve')
    void started.says('listens on').then(
      () => started.child.kill(),
      () => undefined,
    );
  return started.ended;
}

export type Listening = Started & { readonly base: string };

/** A platform that listens on a free port. */
export async function serve(env: Env, ...args: string[]): Promise<Listening> {
  const started = start(['serve', ...args], env);
  await started.says('listens on');
  await started.says('\n');
  return { ...started, base: /listens on (\S+)/.exec(started.said.stdout)![1]! };
}

export type Account = { readonly token: string; readonly workspace: string };

/** What a first start, or a bootstrap, printed. */
export async function accountOf(started: Started): Promise<Account> {
  await started.says('/v1/event/streams');
  await started.says('X-Workspace-Id: wsp_');
  return account(started.said.stdout);
}
export const account = (text: string): Account => ({
  token: /Bearer (psg_live_\w+)/.exec(text)![1]!,
  workspace: /X-Workspace-Id: (wsp_\w+)/.exec(text)![1]!,
});

const headersOf = ({ token, workspace }: Account): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'x-workspace-id': workspace,
  'content-type': 'application/json',
});

/** Records an event; answers its id. */
export async function record(base: string, who: Account, body: object): Promise<string> {
  const answer = await fetch(`${base}/v1/event/record`, {
    method: 'POST',
    headers: headersOf(who),
    body: JSON.stringify(body),
  });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { data: { event_id: string } }).data.event_id;
}

export const get = (base: string, who: Account, path: string): Promise<Response> =>
  fetch(base + path, { headers: headersOf(who) });

/** Waits until an event has its score. */
export async function scored(base: string, who: Account, id: string): Promise<void> {
  const event = async () => (await get(base, who, `/v1/event/${id}`)).text();
  await until(async () => (await event()).includes('"status":"scored"'), `the score of ${id}`);
}
