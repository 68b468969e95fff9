import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// What the benchmarks of the whole platform share: servers as processes of their own, medians, tables.

export const quick = process.argv.includes('--quick');

/** The middle one; of an even number the upper of the two. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const ratio = (value: number): string => value.toFixed(2);

/** Prints a Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [head, head.map(() => '---'), ...rows];
  console.log(`\n${lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')}\n`);
}

export type Server = {
  readonly pid: number;
  readonly port: number;
  /** Lets it run, or holds it still so that it takes nothing from what is measured meanwhile. */
  readonly resume: () => void;
  readonly pause: () => void;
  readonly stop: () => Promise<void>;
};

/** The folder of this build, in which `bench/` lies. */
export const thisBuild = fileURLToPath(new URL('..', import.meta.url));

/** Starts a script of a build that prints the address it listens on. */
export async function startServer(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  build = thisBuild,
): Promise<Server> {
  const path = join(build, script);
  const child = spawn(process.execPath, [...nodeOptions(), path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const port = await portOf(child);
  const signal = (name: NodeJS.Signals) => () => {
    child.kill(name);
  };
  return {
    pid: child.pid!,
    port,
    pause: signal('SIGSTOP'),
    resume: signal('SIGCONT'),
    async stop() {
      signal('SIGCONT')();
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
    },
  };
}

/** For profiles: BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=/tmp/profiles". */
const nodeOptions = (): string[] =>
  (process.env['BENCH_NODE_OPTIONS'] ?? '').split(' ').filter(option => option !== '');

const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    let said = '';
    child.once('exit', code => reject(new Error(`the server ended with ${code}: ${said}`)));
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk;
      const port = /listens on http:\/\/[^:]+:(\d+)/.exec(said)?.[1];
      if (port) resolve(Number(port));
      if (said.length > 65_536) said = '';
    });
  });

/** The platform as anybody starts it, with limits out of the way: they are counted, but not met. */
export const startPresage = (
  dataDir: string,
  role: string,
  env: Readonly<Record<string, string>> = {},
  build = thisBuild,
): Promise<Server> =>
  startServer(
    'cli/presage.js',
    ['serve', '--role', role],
    { ...limits, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env },
    build,
  );

const limits = {
  RATE_DEFAULT: '1000000000',
  RATE_PUSH: '1000000000',
  RATE_PUSH_POINTS: '1000000000',
  RATE_PUSH_BYTES: '1000000000',
  RATE_WEBHOOK: '1000000000',
  SCORING_BACKLOG_MAX: '1000000000',
  SCORING_BACKLOG_PER_WORKSPACE: '1000000000',
};

/** Processor time of all threads that a process has, so far, in µs; NaN where there is no /proc. */
export function cpuOf({ pid }: Pick<Server, 'pid'>): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + nanosecondsOf(`/proc/${pid}/task/${thread}`), 0) / 1000;
  } catch {
    return NaN;
  }
}

const nanosecondsOf = (thread: string): number =>
  Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0]);

/** Memory of a process in MB: now (VmRSS), and at most so far (VmHWM). NaN where there is no /proc. */
export function memoryOf({ pid }: Pick<Server, 'pid'>): { readonly now: number; readonly peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
    return { now: of('VmRSS'), peak: of('VmHWM') };
  } catch {
    return { now: NaN, peak: NaN };
  }
}
