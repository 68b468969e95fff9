import * as assert from 'uvu/assert';
import type { Message } from '../../domain/fact.js';
import type { Json } from '../json.js';
import { TINY } from '../projections/models-world.js';
import { suite } from '../suite.js';
import { imported, modelsApi, type ModelsApi } from './models-world.js';
import { create, hours, push, recipe } from './segments-world.js';

const TAKEN = { family: 'other', slug: 'tiny' };
/** Windows that no test runs in. */
const LATER = { days: ['monday'], start_time: '03:00', end_time: '03:01', timezone: 'Pacific/Kiritimati' };

suite('pipelines of models whose licence forbids commercial use', test => {
  let world: ModelsApi;
  let segment = '';
  const body = (over: object = {}): object => ({
    ...{ segment, models: [{ model: 'blueprint__ets' }, TAKEN], forecast_horizon: 8 },
    ...{ training_schedule: LATER, ...over },
  });
  const make = (over: object = {}) => world.ann.post<Json>('/v1/pipelines', body(over));
  const made = async (over: object = {}): Promise<string> => {
    const answer = await make(over);
    assert.is(answer.status, 201, answer.text);
    return answer.body.data.pipeline_id;
  };
  const forbidden = ({ status, body }: { status: number; body: Json }, message: RegExp): void => {
    assert.equal([status, body.error?.code], [403, 'license_forbids_commercial_use']);
    assert.match(body.error.message, message);
  };
  test.before(async () => {
    world = await modelsApi();
    await world.tell('foundation_model-extfm__other__tiny', imported(TINY));
    await push(
      world.api,
      'shop.orders',
      hours(60, i => i % 24),
    );
    segment = (await create(world.api, recipe())).segment_id;
  });
  test.after(() => world.close());

  test('without a word they are refused, before anything is trained, and named', async () => {
    const answer = await make();
    forbidden(answer, /^models\[1\]: The licence of other\/tiny .*accept_non_commercial: true/);
    const { index, family, slug, license } = answer.body.error.details;
    assert.equal([index, family, slug, license], [1, 'other', 'tiny', TINY.licence]);
    // So is a fine-tuning of one that was made before
    const { uid } = await world.post('/v1/models', { kind: 'foundation', ...TAKEN, horizon: 8 });
    forbidden(await make({ models: [{ model: uid }] }), /^models\[0\]: .*other\/tiny/);
    assert.is((await world.get('/v1/pipelines')).total, 0);
  });

  test('accepted they are taken; a change must go on accepting them', async () => {
    const path = `/v1/pipelines/${await made({ accept_non_commercial: true })}`;
    assert.is((await world.get(path)).accept_non_commercial, true);
    const renamed = await world.ann.patch<Json>(path, { name: 'Other' });
    assert.equal([renamed.status, renamed.body.data.accept_non_commercial], [200, true]);
    forbidden(await world.ann.patch<Json>(path, { accept_non_commercial: false }), /other\/tiny/);
    forbidden(await world.ann.put<Json>(path, body()), /other\/tiny/);
    const without = { models: [{ model: 'blueprint__ets' }], accept_non_commercial: false };
    const { body: left } = await world.ann.patch<Json>(path, without);
    assert.is(left.data.accept_non_commercial, false);
    forbidden(await world.ann.patch<Json>(path, { models: [TAKEN] }), /other\/tiny/);
    await world.ann.delete(path);
  });

  test('where nothing is promoted nothing needs to be accepted; a decision may say it', async () => {
    const id = await made({ promotion_policy: { mode: 'off' } });
    const journal = `pipeline-${world.api.installed.workspaceId}.${id}`;
    const { models } = await world.get(`/v1/pipelines/${id}`);
    await propose(journal, id, models[1].model_id);
    const path = `/v1/pipelines/${id}/promotion-decision`;
    const decide = (more: object) => world.ann.post<Json>(path, { decision: 'approve', ...more });
    forbidden(await decide({}), /other\/tiny/);
    const { status, text } = await decide({ accept_non_commercial: true });
    assert.is(status, 200, text);
    const facts = await world.platform.stores.events.read(journal);
    const approved = facts.find(({ type }) => type === 'CandidateApproved')?.data as Json;
    assert.is(approved.acceptNonCommercial, true);
  });

  /** A cycle and its candidate, of the foundation model. */
  async function propose(journal: string, pipelineId: string, modelId: string): Promise<void> {
    const [cycleId, candidateId, trainingId] = ['cyc_1', 'cnd_1', 'trn_0123456789abcdef'];
    const entry = {
      ...{ ref: TAKEN, kind: 'foundation', modelId, name: 'tiny', intensity: 'adapt', lookback: 64 },
      ...TAKEN,
    };
    const settings = { segmentId: segment, horizon: 8, metric: 'mase', owner: 'usr_1', against: null };
    const entries = [{ entry, trainingId, price: 0, refused: null }];
    const result = {
      ...{ trainingId, status: 'completed', score: 1, isServable: true, charged: 0, error: null },
      ...{ comparison: null, coverage: null },
    };
    const proposal = {
      ...{ candidateId, cycleId, trainingId, entry, metric: 'mase', score: 1, coverage: null },
      ...{ servingScore: null, improvement: null, interval: null, mode: 'manual', against: null },
    };
    const expiresAt = world.clock.now + 86_400_000;
    const facts: Message[] = [
      {
        type: 'CycleStarted',
        data: {
          ...{ pipelineId, cycleId, number: 1, trigger: 'manual', seed: 1, rowsSeen: 60 },
          ...{ ...settings, entries },
        },
      },
      { type: 'CycleTrained', data: { pipelineId, cycleId, ...result } },
      {
        type: 'CycleEnded',
        data: { pipelineId, cycleId, status: 'completed', best: trainingId, outcome: 'candidate' },
      },
      { type: 'CandidateProposed', data: { pipelineId, ...proposal } },
      {
        type: 'DecisionRequested',
        data: { pipelineId, candidateId, expiresAt, score: 1, servingScore: null },
      },
    ];
    await world.tellIn(world.api.installed.workspaceId, journal, ...facts);
  }
});
