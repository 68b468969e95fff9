import type { JobCommands } from '../commands/ingestion/jobs.js';
import type { Fact } from '../domain/fact.js';
import { intervalIn } from '../domain/ingestion/polls/jobs.js';
import type { SourceCreated } from '../domain/ingestion/sources/facts.js';
import type { Reactor } from './engine/reactor.js';

/** Whoever makes a source that is asked makes its first job; where a crash lay between, it is made here. */
export const firstJobs = ({ first }: Pick<JobCommands, 'first'>): Reactor => ({
  name: 'first-jobs',
  concurrency: 4,
  on: {
    SourceCreated: async ({ data }: Fact<SourceCreated>, context) => {
      const { workspace, sourceId, mode, config } = data;
      if (mode === 'poll') await first(workspace, sourceId, intervalIn(config), context);
    },
  },
});
