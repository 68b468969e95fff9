import { inspect } from 'node:util';
import { suite as uvu, type Context, type Test } from 'uvu';
import { Assertion } from 'uvu/assert';

type Hook = Parameters<Test['before']>[0];
type Handler = (context: Context) => Promise<void> | void;

/**
 * A uvu suite that cannot pass by accident: a hook that throws fails the run (uvu would exit 0), so does an
 * error that uvu cannot print, and `run()` is never forgotten. Use this wrapper only.
 */
export const suite = (name: string, body: (test: Test) => void): void => {
  const test = uvu(name);
  const thrown: unknown[] = [];
  const failures: unknown[] = [];
  const told =
    (handler: Handler): Handler =>
    async context => {
      try {
        await handler(context);
      } catch (error) {
        thrown.push(error);
        throw printable(error);
      }
    };
  const guard = (add: (hook: Hook) => void) => (hook: Hook) =>
    add(async context => {
      try {
        await hook(context);
      } catch (error) {
        thrown.push(error);
        failures.push(error);
        console.log(`${name}: it failed outside of its tests`, error);
      }
    });
  const beforeEach = (hook: Handler) => test.before.each(told(hook));
  const before = Object.assign(guard(test.before), { each: beforeEach });
  const after = Object.assign(guard(test.after), { each: guard(test.after.each) });
  const guarded = { before, after };
  body(
    new Proxy(test, {
      get: (target, key): unknown => Reflect.get(Object.hasOwn(guarded, key) ? guarded : target, key),
      apply: (target, _, [what, handler]: [string, Handler]) => target(what, told(handler)),
    }),
  );
  beforeEach(() => {
    if (failures.length) throw failures[0];
  });
  test.run();
  process.on('exit', code => {
    if (!thrown.length || code !== 0) return;
    console.error(`${name}: what failed was not told`, ...thrown);
    process.exitCode = 1;
  });
};

/**
 * At an error that it cannot print, such as one whose `details` are no text, uvu leaves out all further tests
 * without a word.
 */
function printable(error: unknown): unknown {
  if (error instanceof Assertion) return error;
  const plain = new Error(error instanceof Error ? error.message : inspect(error));
  plain.stack = inspect(error);
  return plain;
}

/** Says by name, in the output, that a suite did not run, and why. */
export const skipped = (name: string, why: string): void => console.log(`skipped: ${name} (${why})`);
