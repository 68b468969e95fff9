import type { Context } from '../../commands/engine/handle.js';
import type { Platform } from '../../main.js';
import { result, type Output } from './job.js';

/** What came of an operation, as its command shows it, and the position of the last fact it wrote. */
export type Performed = { readonly shown: unknown; readonly position: number | null };

/** Operations by `what` their options are for. */
export type Operations<O extends { readonly what: string }> = {
  readonly [W in O['what']]: (
    platform: Platform,
    options: Extract<O, { readonly what: W }>,
    context: Context,
  ) => Promise<Performed>;
};

type Run<O> = (platform: Platform, options: O, context: Context) => Promise<Performed>;

/** Performs the operation that the options are for, waits until it is visible, and says what came of it. */
export async function* perform<O extends { readonly what: string }>(
  operations: Operations<O>,
  platform: Platform,
  options: O,
): AsyncGenerator<Output> {
  const run = operations[options.what as O['what']] as Run<O>;
  const { shown, position } = await run(platform, options, operatorContext(platform));
  await platform.visible(position);
  yield result(shown);
}

/** An operator's command begins a chain of cause and effect of its own. */
export const operatorContext = ({ newId, clock }: Platform): Context => ({
  workspace: null,
  actor: 'operator',
  request: null,
  correlation: newId(),
  causation: null,
  at: clock(),
});
