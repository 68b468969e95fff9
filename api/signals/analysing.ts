import type { Tasks } from '../../domain/maths/tasks.js';
import { notValid } from '../edge/errors.js';
import { keyList } from '../edge/key-list.js';
import { JsonText, type Answer } from '../edge/row.js';
import { sourcesOf, type TimeWindow } from './analysis-data.js';
import { subjectsOf, type Subjects } from './subjects.js';
import * as schemas from './analysis-schemas.js';
import type { AnalysisDeps } from './deps.js';

type Asking = { readonly workspace: string; readonly signal: AbortSignal };
type Question<N extends keyof Tasks> = Parameters<Tasks[N]>[0];

/** How analyses find their subjects and are answered, in the compute pool or from what is kept. */
export function analysing({ reads, compute, answers }: AnalysisDeps) {
  /** The answer that is kept, or that a task makes of the sources and what else it asks. */
  async function analysed<N extends keyof Tasks & string>(
    task: N,
    { workspace, signal }: Asking,
    subjects: Subjects,
    span: TimeWindow,
    asked: Omit<Question<N>, 'sources'>,
  ): Promise<Answer> {
    const key = JSON.stringify([task, subjects.all.map(each => each.key), span, asked]);
    const text = await answers.cached({ workspace, key, version: subjects.version, signal }, async ended => {
      const sources = await sourcesOf(reads, workspace, subjects, span, ended);
      return compute.json(task, { ...asked, sources } as unknown as Question<N>, {
        lane: workspace,
        signal: ended,
      });
    });
    return { body: new JsonText(text) };
  }

  const named = async (workspace: string, keys: string | undefined, most: number): Promise<Subjects> =>
    subjectsOf(
      reads,
      workspace,
      keys === undefined
        ? await reads.catalogue.newestKeys(workspace, schemas.DEFAULT_KEYS)
        : keysIn(keys, most),
      'keys',
    );

  return { analysed, named };
}

/** Keys of a list. @throws Rejected 422 for too many */
export function keysIn(given: string, most: number): string[] {
  const keys = keyList(given);
  if (keys.length === 0)
    throw notValid([{ loc: ['query', 'keys'], msg: 'must name a key', type: 'min_items' }]);
  if (keys.length > most)
    throw notValid([{ loc: ['query', 'keys'], msg: `must be at most ${most} keys`, type: 'max_items' }]);
  return keys;
}
