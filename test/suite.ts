import { suite as uvu, type Test } from 'uvu';

type Hook = Parameters<Test['before']>[0];

/**
 * A uvu suite that cannot pass by accident: a hook that throws fails the run (uvu would exit 0), and `run()`
 * is never forgotten. Use this wrapper only.
 */
export const suite = (name: string, body: (test: Test) => void): void => {
  const test = uvu(name);
  const failures: unknown[] = [];
  const guard = (add: (hook: Hook) => void) => (hook: Hook) =>
    add(async context => {
      try {
        await hook(context);
      } catch (error) {
        failures.push(error);
      }
    });
  const before = Object.assign(guard(test.before), { each: test.before.each });
  const after = Object.assign(guard(test.after), { each: guard(test.after.each) });
  const guarded = { before, after };
  body(
    new Proxy(test, {
      get: (target, key): unknown => Reflect.get(Object.hasOwn(guarded, key) ? guarded : target, key),
    }),
  );
  test.before.each(() => {
    if (failures.length) throw failures[0];
  });
  test.run();
  process.on('exit', code => {
    if (!failures.length || code !== 0) return;
    console.error(`${name}: a hook failed`, failures[0]);
    process.exitCode = 1;
  });
};

/** Says by name, in the output, that a suite did not run, and why. */
export const skipped = (name: string, why: string): void => console.log(`skipped: ${name} (${why})`);
