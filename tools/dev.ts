import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Runs the platform and the compiler beside it: what is saved is compiled, and the platform starts again with
// it. What stands on the command line goes to `presage serve`. The build is one of its own: what else runs
// from `dist` is left alone.

const root = fileURLToPath(new URL('../../', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const build = `${root}dist-dev`;
const presage = `${build}/cli/presage.js`;

const compiling = [tsc, '--outDir', build];

// The first build is whole before it runs; what does not compile yet runs as far as it goes
spawnSync(process.execPath, compiling, { cwd: root, stdio: 'inherit' });
const compiler = start([...compiling, '--watch', '--preserveWatchOutput']);
const server = start(['--watch', '--watch-preserve-output', presage, 'serve', ...process.argv.slice(2)]);
let ending = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
for (const child of [compiler, server]) child.on('close', end);

/** In a process group of its own, so that Ctrl-C reaches it once: on a second the platform ends at once. */
function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, { cwd: root, stdio: 'inherit', detached: true });
}

/** Both end, the platform in its order. */
function end(): void {
  if (ending) return;
  ending = true;
  server.kill('SIGTERM');
  // The compiler's script waits for a program of its own
  if (compiler.exitCode === null) process.kill(-compiler.pid!, 'SIGTERM');
}
