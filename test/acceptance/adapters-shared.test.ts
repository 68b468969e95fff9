import * as assert from 'uvu/assert';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { adapterOf, adaptersOf, shops, tune } from './adapters.js';
import { openTraining, trained } from './training.js';
import { expected, forecast, inState, refused, type World } from './world.js';

// Who sees an adapter, who may use it, and when it may go (specification 2.3, 4.5, 7; open-parts 8, 26).

const PATH = '/v1/models/foundation/adapters';

suite('acceptance: adapters of others', test => {
  let world: World;
  let other: Client;
  let [secret, open] = [{} as Json, {} as Json];
  test.before(async () => {
    world = await openTraining();
    other = await world.tenant();
    const { segment_id } = await shops(world.api);
    const make = async (visibility: string): Promise<Json> => {
      const model = await tune(world.api, { visibility, horizon: 11, name: `${visibility} shops` });
      const { training_id } = await trained(world.api, { segment_id, model, horizon: 11, seed: 4 });
      const found = await adapterOf(world.api, training_id);
      if (!found) throw new Error('the fine-tune was not kept');
      return found;
    };
    secret = await make('private');
    open = await make('public');
  });
  test.after(() => world.close());
  const ids = (all: readonly Json[]): string[] => all.map(each => each.adapter_id).toSorted();

  test('each list shows what it says, and nobody a private one of others', async () => {
    assert.equal(ids(await adaptersOf(world.api)), [open.adapter_id], 'public is the default');
    assert.equal(ids(await adaptersOf(world.api, '?visibility=public')), [open.adapter_id]);
    assert.equal(ids(await adaptersOf(world.api, '?visibility=private')), [secret.adapter_id]);
    const both = [secret.adapter_id, open.adapter_id].toSorted();
    assert.equal(ids(await adaptersOf(world.api, '?visibility=all')), both);
    assert.equal(ids(await adaptersOf(other)), [open.adapter_id]);
    assert.equal(ids(await adaptersOf(other, '?visibility=private')), []);
    assert.equal(ids(await adaptersOf(other, '?visibility=all')), [open.adapter_id]);
    assert.equal(ids(await adaptersOf(other, `?visibility=all&owner=${secret.owner}`)), [open.adapter_id]);
  });

  test('a private one of others is 404 like one that is not there, and the message names it', async () => {
    const theirs = refused(await other.get<Json>(`${PATH}/${secret.adapter_id}`), 404, 'adapter_not_found');
    assert.match(theirs.message, secret.adapter_id);
    const nobodys = refused(await other.get<Json>(`${PATH}/adp_nobodys`), 404, 'adapter_not_found');
    assert.match(nobodys.message, 'adp_nobodys');
    assert.is(expected(await other.get<Json>(`${PATH}/${open.adapter_id}`)).data.visibility, 'public');
    const answer = await other.post<Json>('/v1/deployments', { adapter_id: secret.adapter_id });
    assert.is(answer.status, 404, answer.text);
  });

  test('a public one serves others, on their own series', async () => {
    const { data } = expected(
      await other.post<Json>('/v1/deployments', { adapter_id: open.adapter_id }),
      201,
    );
    await inState(other, data.promotion_id, 'deployed');
    const values = Array.from({ length: 60 }, (_, i) => 100 + (i % 11));
    const series = [{ id: 'theirs', start: '2026-01-01T00:00:00Z', step_s: 86_400, values }];
    const answer = await forecast(other, { promotion_id: data.promotion_id, series, horizon: 11 });
    assert.is(answer.forecasts[0].points.length, 11);
    const { training_id, segment_version, table_hash } = answer.metadata.provenance;
    assert.is(training_id, open.training_id);
    assert.equal([segment_version, table_hash], [null, null], "another's table is not told of");
  });

  test('what a public one says to others names neither address nor table', async () => {
    const { data } = expected(await other.get<Json>(`${PATH}/${open.adapter_id}`));
    assert.is(JSON.stringify(data).includes('@example.org'), false);
    refused(await other.get<Json>(`/v1/segment/${open.segment_id}`), 404);
    refused(await other.get<Json>(`/v1/training/${open.training_id}`), 404);
  });

  test('where it can be deleted, others cannot, nor can it go while it serves', async () => {
    const verbs = world.api.description.paths[`${PATH}/{adapter_id}`]!;
    if (!verbs['delete']) return;
    const remove = (api: Client, id: string) => api.delete<Json>(`${PATH}/${id}`);
    assert.ok([403, 404].includes((await remove(other, open.adapter_id)).status));
    refused(await remove(other, secret.adapter_id), 404, 'adapter_not_found');
    refused(await remove(world.api, open.adapter_id), 409, 'IN_USE');
    expected(await remove(world.api, secret.adapter_id));
    refused(await world.api.get<Json>(`${PATH}/${secret.adapter_id}`), 404, 'adapter_not_found');
    assert.equal(ids(await adaptersOf(world.api, '?visibility=private')), []);
  });

  test('reading takes models.read, a token without it is refused', async () => {
    const blind = await world.withScopes(['trainings.read']);
    const { details } = refused(await blind.get<Json>(PATH), 403, 'insufficient_scope');
    assert.equal(details.required, ['models.read']);
  });
});
