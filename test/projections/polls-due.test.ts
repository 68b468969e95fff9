import * as assert from 'uvu/assert';
import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { eventConfigOf } from '../../domain/ingestion/event-config.js';
import type { JobFact } from '../../domain/ingestion/polls/job-facts.js';
import type { SourceFact } from '../../domain/ingestion/sources/facts.js';
import { applyPage } from '../../projections/engine/apply.js';
import { collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { ingestionProjection } from '../../projections/ingestion/projection.js';
import { pollQueries, type Due } from '../../projections/ingestion/poll-queries.js';
import { stored } from '../spec.js';
import { suite } from '../suite.js';

const JOBS = 450;
const id = { workspace: 'w', sourceId: 'src' };
const source: SourceFact & { at: number } = {
  type: 'SourceCreated',
  data: {
    ...{ ...id, name: 'Source', connectorId: 'rest_poll', kind: 'event', mode: 'poll', config: {} },
    ...{ eventConfig: eventConfigOf({}), personal: null },
  },
  at: 0,
};
/** One comes due each minute. */
const MINUTE = 60_000;
const job = (n: number): JobFact & { at: number } => ({
  type: 'JobCreated',
  data: { ...id, jobId: `job_${n}`, schedule: { intervalSeconds: 60 }, enabled: true },
  at: n * MINUTE,
});

suite('jobs whose time has come', test => {
  test('all of them, or those that came due since, each once and the longest due first', async () => {
    const models = memoryReadModels();
    await models.prepare(collectionsOf(ingestionProjection, 0));
    const facts = stored<SourceFact | JobFact>(source, ...Array.from({ length: JOBS }, (_, n) => job(n)));
    await applyPage(ingestionProjection, models, 0, facts);
    const queries = pollQueries(reader(models, ingestionProjection, () => 0));
    const due = async (asked: Due) => {
      const found: { id: string; at: number }[] = [];
      for await (const page of queries.dueJobs(asked))
        for (const { _id, next_run_at } of page) found.push({ id: _id, at: next_run_at! });
      return found;
    };
    const all = await due({ since: null, by: Infinity });
    assert.is(new Set(all.map(each => each.id)).size, JOBS);
    assert.equal(
      all.map(({ at }) => at),
      all.map(({ at }) => at).sort((a, b) => a - b),
    );
    const [by, since] = [all[400]!.at, all[390]!.at];
    assert.equal(await due({ since: null, by }), all.slice(0, 401));
    assert.equal(await due({ since, by }), all.slice(391, 401));
  });
});
