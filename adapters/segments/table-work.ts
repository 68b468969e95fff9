import type { Contents } from '../../commands/ports/contents.js';
import type { RecipeWork, TableWork } from '../../commands/segments/work.js';
import type { Job } from './jobs.js';
import { workApart } from './work-apart.js';

type Settings = {
  readonly contents: Contents;
  /** Builds at once, and previews and suggestions at once: neither waits for the other. */
  readonly builds: number;
  readonly asked: number;
  /** Memory of one process. */
  readonly memoryMb: number;
  /** Longest time of what somebody waits for at the line. */
  readonly withinMs: number;
};

/** Work on tables in processes, one for each piece of it. */
export function tableWork({ contents, builds, asked: atOnce, memoryMb, withinMs }: Settings) {
  const building = workApart({ processes: builds, memoryMb });
  const asked = workApart({ processes: atOnce, memoryMb });
  const of = (
    task: Job['task'],
    { workspace, recipe, sources, signal }: RecipeWork,
    shelf: string | null,
    before: string | null = null,
  ) => ({
    ...{ job: { task, recipe, asOf: sources.asOf, before } satisfies Job, signal, lane: workspace },
    served: { sources, contents, shelf },
  });
  const work: TableWork = {
    build: ({ shelf, before, ...each }) =>
      building.run({ ...of('build', each, shelf, before), withinMs: null }),
    preview: each => asked.run({ ...of('preview', each, null), withinMs }),
    suggest: each => asked.run({ ...of('suggest', each, null), withinMs }),
  };
  return {
    ...work,
    async close(): Promise<void> {
      await Promise.all([building.close(), asked.close()]);
    },
  };
}
