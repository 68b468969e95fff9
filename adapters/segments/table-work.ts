import type { Contents } from '../../commands/ports/contents.js';
import type { RecipeWork, TableWork } from '../../commands/segments/work.js';
import type { Job } from './jobs.js';
import { workApart } from './work-apart.js';

type Settings = {
  readonly contents: Contents;
  /** Builds at once, and previews at once: neither waits for the other. */
  readonly builds: number;
  readonly previews: number;
  /** Memory of one process. */
  readonly memoryMb: number;
  /** Longest time of what somebody waits for at the line. */
  readonly withinMs: number;
};

/** Work on tables in processes, one for each piece of it. */
export function tableWork({ contents, builds, previews, memoryMb, withinMs }: Settings) {
  const building = workApart({ processes: builds, memoryMb });
  const asked = workApart({ processes: previews, memoryMb });
  const of = (job: Job, { workspace, sources, signal }: RecipeWork, shelf: string | null) => ({
    ...{ job, signal, lane: workspace },
    served: { sources, contents, shelf },
  });
  const work: TableWork = {
    build: ({ shelf, ...each }) =>
      building.run({ ...of({ task: 'build', recipe: each.recipe }, each, shelf), withinMs: null }),
    preview: each => asked.run({ ...of({ task: 'preview', recipe: each.recipe }, each, null), withinMs }),
  };
  return {
    ...work,
    async close(): Promise<void> {
      await Promise.all([building.close(), asked.close()]);
    },
  };
}
