import type { ByomAsked, ByomFound } from '../../commands/byom/validating.js';
import type { Check, CheckName } from '../../domain/byom/report.js';

/** What a process is told that validates a model: the file, and where to put a network that it makes. */
export type Order = ByomAsked & { readonly path: string; readonly made: string };

/** What it says: that a check begins, what it found, or that it is done. */
export type Said =
  | { readonly type: 'begins'; readonly name: CheckName }
  | { readonly type: 'check'; readonly check: Check }
  | ({ readonly type: 'done' } & Pick<ByomFound, 'as' | 'sample' | 'runtime' | 'network'>);

/** What a check found that did not fail. */
export type Found = string | { readonly status: 'warning' | 'skipped'; readonly message: string };
/** Runs a check, and tells what it found; what it throws is what is wrong with the model. */
export type RunCheck = <T>(name: CheckName, work: () => Promise<[T, Found]> | [T, Found]) => Promise<T>;
