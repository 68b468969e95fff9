import * as assert from 'uvu/assert';
import type { Adapter, AdapterFilter, ModelDeps, Recommendation } from '../../api/models/deps.js';
import { modelRows } from '../../api/models/rows.js';
import type { Asker } from '../../domain/models/made.js';
import type { Call } from '../../api/edge/row.js';
import { checkOf } from '../../api/edge/validation.js';
import { recommendedOf } from '../../areas/recommended.js';
import type { Kernel } from '../../areas/kernel.js';
import { firstPartyModels } from '../../adapters/models/first-party.js';
import type { Json } from '../json.js';
import { modelsAfter } from '../projections/models-world.js';
import { modelQueries } from '../../projections/models/queries.js';
import { suite } from '../suite.js';

// What areas that are built on models will answer, as the rows show it.

const adapter: Adapter = {
  adapterId: 'adp_1',
  backbone: { family: 'presage', slug: 'nano' },
  ...{ task: 'forecast', visibility: 'private', name: 'Orders', owner: 'usr_ann', status: 'ready' },
  ...{ intensity: 'adapt', lookback: 512, horizon: 36, trainingId: 'trn_1', segmentId: 'seg_1' },
  ...{ metrics: { mase: 0.8 }, sizeBytes: 1_000, createdAt: Date.UTC(2026, 0, 1) },
};
const recommendation: Recommendation = {
  ...{ blueprintUid: 'presage__nano', reason: 'it won', tournamentId: null },
  ...{ score: 0.7, baselineScore: 1, computedAt: Date.UTC(2026, 0, 1) },
};

suite('what is built on models', test => {
  let asked: { by: Asker; filter: AdapterFilter } | null = null;
  const ask = async (operation: string, call: object, over: Partial<ModelDeps> = {}): Promise<Json> => {
    const { read, hosted } = await modelsAfter();
    const deps = {
      hosted,
      queries: modelQueries(read, hosted),
      adapters: {
        async seenBy(by: Asker, filter: AdapterFilter) {
          asked = { by, filter };
          return [adapter];
        },
        one: async (_by: Asker, id: string) => (id === 'adp_1' ? adapter : null),
      },
      recommended: async () => recommendation,
      serving: () => ({ available: true, warm: false }),
      namesOf: async () => new Map(),
      cell: 'here',
      ...over,
    } as unknown as ModelDeps;
    const found = modelRows(deps).find(row => row.operation === operation)!;
    const answer = await found.run({ caller: { uid: 'usr_ann' }, workspace: 'w', ...call } as Call as never);
    checkOf(found.answers[200]!.schema!, 'body')(JSON.parse(JSON.stringify(answer.body)));
    return (answer.body as Json).data;
  };

  test('adapters are asked for by who may see them, and say what they stand on', async () => {
    const filter = { visibility: 'all', family: 'presage' };
    const { adapters, count } = await ask('listAdapters', { query: filter });
    assert.equal(asked, { by: { uid: 'usr_ann' }, filter });
    assert.is(count, 1);
    assert.equal([adapters[0].family, adapters[0].backbone_slug], ['presage', 'nano']);
    const one = await ask('getAdapter', { params: { adapter_id: 'adp_1' } });
    assert.equal(one, adapters[0]);
    assert.equal([one.created_at, one.metrics], ['2026-01-01T00:00:00.000Z', { mase: 0.8 }]);
  });

  test('what is recommended comes with its evidence', async () => {
    const { blueprint, reason, evidence, computed_at } = await ask('getRecommendedModel', {});
    assert.equal([blueprint.uid, blueprint.name], ['presage__nano', firstPartyModels()[1]!.name]);
    assert.equal([reason, computed_at], ['it won', '2026-01-01T00:00:00.000Z']);
    assert.equal(evidence, { score: 0.7, baseline_score: 1 });
    const withTournament = { recommended: async () => ({ ...recommendation, tournamentId: 'trm_1' }) };
    assert.is((await ask('getRecommendedModel', {}, withTournament)).evidence.tournament_id, 'trm_1');
  });

  test('models are not said to have lost to a forecast that has no score', async () => {
    const of = { cycle_id: 'cyc_1', model: 'blueprint__ets', metric: 'mase', baseline_score: null };
    const trainings = [
      { ...of, score: 0.5 },
      { ...of, score: 0.75 },
    ];
    const find = async (collection: string) => (collection === 'trainings' ? trainings : []);
    const recommended = recommendedOf({ read: () => ({ find }) } as unknown as Pick<Kernel, 'read'>);
    assert.equal(await recommended('w'), {
      blueprintUid: null,
      reason:
        'The best of 2 models compared on the same folds has a mase of 0.5000, and the seasonal naive '
        + 'forecast none: they cannot be compared',
    });
  });

  test('nothing is recommended that may not be seen', async () => {
    const gone = { recommended: async () => ({ ...recommendation, blueprintUid: 'mdl_gone' }) };
    const { blueprint, evidence } = await ask('getRecommendedModel', {}, gone);
    assert.equal([blueprint, evidence], [null, null]);
  });
});
