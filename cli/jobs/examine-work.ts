import { readModelFiles, defaultModelDir } from '../../adapters/scorer/files.js';
import { defaultFamilyDir, readModelFile } from '../../adapters/forecaster/files.js';
import { FIRST_PARTY } from '../../domain/models/hosted.js';
import { iso, SECOND } from '../../domain/time.js';
import type { Platform } from '../../main.js';
import { setAsideQueries } from '../../workers/engine/set-aside-facts.js';
import { ok, problem, warning, type Finding } from './finding.js';

const LATE_MS = 30 * SECOND;

export const background = async ({ areas: { events }, config, clock }: Platform): Promise<Finding[]> => {
  const waiting = await events.backlog();
  const max = config.SCORING_BACKLOG_MAX;
  const scores = `${waiting} events wait for a score, at most ${max} may`;
  const late = (await events.queries.due(clock() - LATE_MS, 1)).due.length > 0;
  return [
    waiting > max / 2
      ? warning(
          'scoring',
          scores,
          'give it more SCORER_THREADS, or see the log of the process with the role workers',
        )
      : ok('scoring', scores),
    late
      ? warning(
          'scheduler',
          'scheduled events are late',
          'they fire when a process with the role workers runs',
        )
      : ok('scheduler', 'no scheduled event is late'),
  ];
};

/** How many facts reactors have given up, whose, and the oldest of them. */
export const reactors = async ({ stores }: Platform): Promise<Finding[]> => {
  const part = 'reactors';
  const queries = setAsideQueries(stores.models);
  const [counts, [oldest], waiting] = await Promise.all([
    queries.parkedByReactor(),
    queries.find({ state: 'parked' }, 1),
    queries.count({ state: 'waiting' }),
  ]);
  const again = ok(part, `${waiting} facts wait to be tried again`);
  if (!oldest) return waiting > 0 ? [again] : [ok(part, 'no fact is parked')];
  const each = [...counts].map(([reactor, count]) => `${count} by ${reactor}`).join(', ');
  const { type, position, first_failed_at: since, error } = oldest;
  const first = `the oldest, ${type} at ${position}, failed since ${iso(since)}: ${error}`;
  const text = `parked facts: ${each}; ${first}`;
  const todo = 'mend what the error names, then presage reactors retry; presage reactors shows them all';
  return [warning(part, text, todo), ...(waiting > 0 ? [again] : [])];
};

/** Reads every file of a foundation model, our own and imported ones. */
export const foundationModels = async ({ areas, stores }: Platform): Promise<Finding[]> => {
  const part = 'foundation models';
  const well: string[] = [];
  const problems: Finding[] = [];
  for (const model of await areas.models.hosted.all()) {
    const { family, slug, version } = model;
    try {
      if (family === FIRST_PARTY) readModelFile(defaultFamilyDir(), slug);
      else await stores.modelFiles.verify(model);
      well.push(`${family}/${slug} ${version}`);
    } catch (error) {
      const todo = 'until then it is not served, and what is deployed of it fails';
      problems.push(problem(part, (error as Error).message, todo));
    }
  }
  return [...problems, ok(part, `${well.join(', ')}: every file is as it was`)];
};

export const models = async (): Promise<Finding[]> => {
  const { version } = readModelFiles(defaultModelDir());
  return [ok('models', `event-scorer ${version}: every file is as the manifest says`)];
};
