import { SECOND } from '../../domain/time.js';
import type { Platform } from '../../main.js';
import { failureOf } from '../exit.js';
import { madeFiles } from './examine-files.js';
import { clocks, eventStore, projectionsStand, readModels } from './examine-stores.js';
import { sealedFacts } from './examine-vault.js';
import { background, foundationModels, models, reactors } from './examine-work.js';
import { problem, type Finding } from './finding.js';
import { row, type Job } from './job.js';

type Examination = {
  readonly part: string;
  readonly look: (platform: Platform, signal: AbortSignal) => Promise<Finding[]>;
  readonly todo: string;
  /** It reads all there is: not in a quick look, and as long as it takes. */
  readonly takesLong?: boolean;
};

const LOG_TODO = 'see that the event store runs and EVENTSTORE_URL names it';
const MODELS_TODO = 'see that the store of the read models runs and MONGODB_URL names it';
const ANSWER_WITHIN_MS = 10 * SECOND;

/** Looks at everything that an open platform is made of; rows are findings. */
export const doctorJob: Job<{ readonly quick: boolean }> = async function* ({ platform, signal }, { quick }) {
  for (const { part, look, todo, takesLong = false } of examinations) {
    if (signal.aborted) return;
    if (takesLong && quick) continue;
    const looked = look(platform, signal);
    const found = await (takesLong ? looked : answered(looked)).catch((error: unknown) => [
      problem(part, failureOf(error).message, todo),
    ]);
    for (const finding of found) yield row(finding);
  }
};

/** One that never answers is a finding, too. */
async function answered<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`no answer within ${ANSWER_WITHIN_MS / SECOND} s`)),
      ANSWER_WITHIN_MS,
    );
  });
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

const examinations: readonly Examination[] = [
  { part: 'event store', look: eventStore, todo: LOG_TODO },
  { part: 'vault', look: sealedFacts, todo: LOG_TODO, takesLong: true },
  { part: 'read models', look: readModels, todo: MODELS_TODO },
  { part: 'projections', look: projectionsStand, todo: MODELS_TODO },
  { part: 'scoring', look: background, todo: MODELS_TODO },
  { part: 'reactors', look: reactors, todo: MODELS_TODO },
  { part: 'models', look: models, todo: 'restore models/event-scorer, or make it again with its recipe' },
  {
    part: 'foundation models',
    look: foundationModels,
    todo: MODELS_TODO,
    takesLong: true,
  },
  { part: 'made models', look: madeFiles, todo: MODELS_TODO, takesLong: true },
  { part: 'clock', look: clocks, todo: LOG_TODO },
];
