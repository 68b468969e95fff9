import * as assert from 'uvu/assert';
import type { Role } from '../../domain/groups/roles.js';
import type { Scope } from '../../domain/tokens/scopes.js';
import { scopes } from '../../domain/tokens/scopes.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { built, column, create, daily, FROM, inStatus, near, rowsOf } from './tables.js';
import { expected, openWorld, places, push, refused, type World } from './world.js';

// Folds and what is fitted on them, warnings of leaks, and who may what with segments (open-parts 7, 24, 25,
// 29.4, 30.6, 31.8, 32.10, 32.13). Readings: the deviation is that of all rows; quartiles lie between points
// in proportion; folds are a horizon apart.

suite('acceptance: normalisation by folds, and leaks', test => {
  let world: World;
  const values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];
  const split = { method: 'rolling_origin', folds: 2, horizon: 2, gap: 1 };
  const rowsIn = (rows: Json[], { from, to }: Json) =>
    column(
      rows.filter(({ ts }) => ts >= from && ts < to),
      'pi',
    ) as number[];
  const normalized = async (method: string) => {
    const made = await built(world.api, daily('pi', { split, normalization: { method, scope: 'global' } }));
    const rows = await rowsOf(world.api, made.segment_id);
    near(column(rows, 'pi'), values, 'rows stay raw');
    const answer = await world.api.get<Json>(`/v1/segment/${made.segment_id}/normalization`);
    return { rows, normalization: expected(answer).data };
  };
  test.before(async () => {
    world = await openWorld();
    await push(world.api, 'pi', values, { from: FROM });
  });
  test.after(() => world.close());

  test('each fold is fitted on what comes before it, and the last stands above', async () => {
    const mean = (all: number[]) => all.reduce((a, b) => a + b, 0) / all.length;
    const std = (all: number[]) =>
      Math.sqrt(all.reduce((total, each) => total + (each - mean(all)) ** 2, 0) / all.length);
    const quantile = (all: number[], q: number) => {
      const sorted = all.toSorted((a, b) => a - b);
      const place = q * (sorted.length - 1);
      const low = Math.floor(place);
      return sorted[low]! + (place - low) * ((sorted[low + 1] ?? sorted[low]!) - sorted[low]!);
    };
    const by: Record<string, Record<string, (all: number[]) => number>> = {
      zscore: { mean, std },
      minmax: { min: all => Math.min(...all), max: all => Math.max(...all) },
      robust: { median: all => quantile(all, 0.5), iqr: all => quantile(all, 0.75) - quantile(all, 0.25) },
    };
    for (const [method, params] of Object.entries(by)) {
      const { rows, normalization } = await normalized(method);
      assert.equal(
        [normalization.method, normalization.scope, normalization.folds.length],
        [method, 'global', 2],
      );
      for (const [i, { fitted_on, params: found }] of normalization.folds.entries()) {
        const train = rowsIn(rows, fitted_on);
        assert.is(
          train.length,
          values.length - 1 - 2 * (2 - i),
          'before the gap and the horizons that follow',
        );
        for (const [name, of] of Object.entries(params))
          near([found.pi[name]], [of(train)], `${method} ${name}`);
      }
      const [, last] = normalization.folds;
      assert.equal([normalization.fitted_on, normalization.params], [last.fitted_on, last.params]);
    }
  });

  test('what is fitted does not know what comes after it', async () => {
    const before = (await normalized('zscore')).normalization.folds;
    await push(world.api, 'pi', [1_000], { from: FROM + 11 * 86_400_000 });
    const made = await built(
      world.api,
      daily('pi', { split, normalization: { method: 'zscore', scope: 'global' } }),
    );
    const answer = await world.api.get<Json>(`/v1/segment/${made.segment_id}/normalization`);
    assert.equal(expected(answer).data.folds, before);
    await push(world.api, 'pi', [values[11]!], { from: FROM + 11 * 86_400_000 });
  });

  test('another normalisation is another version, built at once; the same makes none', async () => {
    const made = await built(
      world.api,
      daily('pi', { split, normalization: { method: 'zscore', scope: 'global' } }),
    );
    const path = `/v1/segment/${made.segment_id}/normalization`;
    const put = async (body: object) => {
      const answer = await world.api.put<Json>(path, body);
      assert.ok([200, 202].includes(answer.status), answer.text);
    };
    await put({ method: 'zscore', scope: 'global' });
    assert.is((await inStatus(world.api, made.segment_id, 'ready')).version, 1);
    await put({ method: 'minmax', scope: 'global' });
    const after = await inStatus(world.api, made.segment_id, 'ready', 2);
    assert.equal([after.version, after.table_hash], [2, made.table_hash], 'rows stay raw');
    assert.is(expected(await world.api.get<Json>(path)).data.method, 'minmax');
    assert.equal(places(await world.api.put<Json>(path, { method: 'magic', scope: 'global' })), [
      'body.method',
    ]);
    assert.equal(places(await world.api.put<Json>(path, { method: 'zscore', scope: 'all' })), ['body.scope']);
  });

  test('an input that is the target, of now or of the next step, is warned of', async () => {
    const noise = [7, 3, 9, 1, 8, 2, 6, 4, 5, 9, 1, 3];
    await push(
      world.api,
      'copy',
      values.map(value => value * 3 - 1),
      { from: FROM },
    );
    await push(
      world.api,
      'next',
      [...values.slice(1), 0].map(value => 10 - value),
      { from: FROM },
    );
    await push(world.api, 'noise', noise, { from: FROM });
    const inputs = ['copy', 'next', 'noise'].map(key => ({ key, role: 'past' }));
    const { quality } = await built(world.api, daily('pi', { inputs }));
    assert.equal(quality.leakage_warnings.map(({ column: name }: Json) => name).toSorted(), ['copy', 'next']);
    for (const { reason } of quality.leakage_warnings) assert.match(reason, /./);
  });
});

suite('acceptance: rights and tenants of segments', test => {
  let world: World;
  let other: Client;
  let id = '';
  let feature = '';
  test.before(async () => {
    world = await openWorld();
    other = await world.tenant();
    await push(world.api, 'mine', [1, 2, 3, 4], { from: FROM });
    id = (await built(world.api, daily('mine', { name: 'Nobody else reads this' }))).segment_id;
    const body = { name: 'f', kind: 'lag', params: { column: 'mine', steps: 1 }, enabled: true };
    feature = expected(await world.api.post<Json>(`/v1/segment/${id}/features`, body), 201).data.feature_id;
    await inStatus(world.api, id, 'ready', 2);
  });
  test.after(() => world.close());

  type Call = readonly [scope: Scope, method: string, path: string, body?: object];
  const calls = (of = { id, feature }): Call[] => [
    ['segments.read', 'GET', '/v1/segment'],
    ...['', '/normalization', '/features', '/versions', '/versions/1', '/rows'].map(
      (below): Call => ['segments.read', 'GET', `/v1/segment/${of.id}${below}`],
    ),
    ['segments.read', 'POST', '/v1/segment/preview', daily('mine')],
    ['segments.read', 'POST', `/v1/segment/${of.id}/preview`, {}],
    ['segments.read', 'POST', `/v1/segment/${of.id}/features/suggest`, {}],
    ['segments.write', 'POST', '/v1/segment', daily('mine')],
    ['segments.write', 'PUT', `/v1/segment/${of.id}`, daily('mine')],
    ['segments.write', 'PUT', `/v1/segment/${of.id}/normalization`, { method: 'none', scope: 'global' }],
    ['segments.write', 'POST', `/v1/segment/${of.id}/rebuild`, {}],
    [
      'segments.write',
      'POST',
      `/v1/segment/${of.id}/features`,
      { name: 'g', kind: 'calendar', params: { part: 'day' } },
    ],
    ['segments.write', 'PATCH', `/v1/segment/${of.id}/features/${of.feature}`, { enabled: true }],
    ['segments.write', 'DELETE', `/v1/segment/${of.id}/features/${of.feature}`],
    ['segments.write', 'DELETE', `/v1/segment/${of.id}`],
  ];
  const send = (api: Client, [, method, path, body]: Call, headers = {}) =>
    api.send<Json>({ method, path, headers, ...(body && { body }) });

  test('each call takes its scope', async () => {
    for (const scope of ['segments.read', 'segments.write'] as const) {
      const lacking = await world.withScopes(scopes.filter(each => each !== scope));
      for (const call of calls().filter(([each]) => each === scope))
        assert.equal(refused(await send(lacking, call), 403, 'insufficient_scope').details.required, [scope]);
    }
    const reading = await world.withScopes(['segments.read']);
    for (const call of calls().filter(([scope]) => scope === 'segments.read'))
      assert.is((await send(reading, call)).status, 200, call[2]);
  });

  test('a viewer reads and previews, an editor makes segments', async () => {
    for (const role of ['viewer', 'analyst'] as Role[]) {
      const api = await world.member(role);
      for (const call of calls()) {
        const answer = await send(api, call);
        if (call[0] === 'segments.read') assert.is(answer.status, 200, `${role} ${call[2]}`);
        else refused(answer, 403, 'role_forbidden');
      }
    }
    const editor = await world.member('editor');
    const { segment_id } = await built(editor, daily('mine'));
    expected(await editor.delete<Json>(`/v1/segment/${segment_id}`));
  });

  test("another's segments and signals are as if there were none", async () => {
    const nobodys = { id: 'seg_nobodys', feature: 'ftr_nobodys' };
    const all = calls();
    for (const [i, call] of calls(nobodys).entries()) {
      const mine = all[i]!;
      if (call[2] === mine[2]) continue;
      const [theirs, none] = [await send(other, mine), await send(other, call)];
      assert.equal([theirs.status, none.status], [404, 404], `${mine[1]} ${mine[2]} ${theirs.text}`);
    }
    assert.equal(places(await create(other, daily('mine'))), ['body.target']);
    assert.is(expected(await other.get<Json>('/v1/segment')).data.total, 0);
    for (const [, method, path, body] of calls()) {
      const ask = (headers: Record<string, string | undefined>, api = world.api) =>
        api.send<Json>({ method, path, headers, ...(body && { body }) });
      refused(await ask({ authorization: undefined }), 401, 'authorization_required');
      refused(await ask({ 'x-workspace-id': undefined }), 400);
      refused(
        await ask({ 'x-workspace-id': world.running.installed.workspaceId }, other),
        403,
        'workspace_forbidden',
      );
    }
  });

  test('a repeat under an idempotency key makes one segment', async () => {
    const sent = {
      method: 'POST',
      path: '/v1/segment',
      body: daily('mine'),
      headers: { 'idempotency-key': 'once' },
    };
    const first = expected(await world.api.send<Json>(sent), 201).data;
    const again = await world.api.send<Json>(sent);
    assert.is(expected(again, 201).data.segment_id, first.segment_id);
    assert.is(again.headers['idempotency-replayed'], 'true');
  });
});
