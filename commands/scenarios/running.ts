import { Rejected } from '../../domain/rejected.js';
import { isOpen, isThere } from '../../domain/scenarios/state.js';
import type { Context } from '../engine/handle.js';
import { TooLarge } from '../ports/event-store.js';
import { basedFor, type BasingDeps } from './basing.js';
import { CODE_VERSION, imagine, type ImaginingDeps } from './imagining.js';
import type { OfScenario, ScenarioCommands } from './records.js';

export type RunningDeps = ImaginingDeps &
  BasingDeps & {
    readonly commands: Pick<ScenarioCommands, 'state' | 'start' | 'complete' | 'fail' | 'remove'>;
    readonly clock: () => number;
  };

/**
 * Works on a scenario that waits, from where it stands to its end. Answers the position of its last fact;
 * null: it was over. `signal`: nobody wants it any more, or this process is to end.
 * @throws what keeps the stores from being read or written, or what does not serve just now: then later again
 */
export async function workOnScenario(
  deps: RunningDeps,
  of: OfScenario,
  context: Context,
  signal: AbortSignal,
): Promise<number | null> {
  const { commands, clock } = deps;
  const now = (): Context => ({ ...context, at: clock() });
  const state = await commands.state(of);
  if (!isThere(state) || !isOpen(state.status)) return null;
  const ofRun = { ...of, run: state.run.run };
  await commands.start(ofRun, now());
  try {
    const based = await basedFor(deps, of.workspace, state.run);
    if (!based) return (await commands.remove(of, null, now())).position;
    const result = await imagine(deps, based, state.created.assumptions, signal);
    return (await commands.complete(ofRun, { result, codeVersion: CODE_VERSION }, now())).position;
  } catch (error) {
    if (signal.aborted) return null;
    if (error instanceof TooLarge) {
      const failed = {
        code: 'scenario_too_large',
        message: 'Its horizon times its quantiles are too much to keep',
      };
      return (await commands.fail(ofRun, failed, now())).position;
    }
    if (!(error instanceof Rejected) || error.kind === 'unavailable') throw error;
    return (await commands.fail(ofRun, error, now())).position;
  }
}
