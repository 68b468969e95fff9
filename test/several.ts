// `several.js FILE...`: runs test files one after another in this process, and prints a line after each:
// modules are loaded, and warm, once for all of them.

declare global {
  /** Tells uvu to wait until it is asked to run. */
  var UVU_DEFER: boolean | undefined;
  /** Groups of what is to run: a name, then the suites. */
  var UVU_QUEUE: unknown[][];
}

/** What failed may leave things running; they are not waited for. */
const AFTER_FAILURE_MS = 5_000;

globalThis.UVU_DEFER = true;
const { exec } = await import('uvu');
let failed = false;
for (const file of process.argv.slice(2)) {
  globalThis.UVU_QUEUE.splice(0, Infinity, [null]);
  await import(new URL(file, import.meta.url).href);
  await exec();
  failed ||= process.exitCode !== 0;
  console.log(`ran: ${file}`);
}
if (failed) {
  process.exitCode = 1;
  setTimeout(() => process.exit(1), AFTER_FAILURE_MS).unref();
}
