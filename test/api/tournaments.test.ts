import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { hours, push } from './segments-world.js';
import { activeOf, draftOf, goal, held, over, start, tournament, tournaments } from './tournaments-world.js';

/** Quick ones, so that tests are. */
const QUICK = { folds: 3, models: [{ model: 'blueprint__theta' }] };

suite('tournaments over HTTP', test => {
  const folder = temporaryFolder();
  let api: Running;
  let goalId: string;
  /** The one of the activation. */
  let first: Json;
  const path = (below = '') => `/v1/goals/${goalId}/tournaments${below}`;
  const champion = async (): Promise<Json> => (await goal(api, goalId)).champion;
  test.before(async () => {
    api = await startPlatform(folder.path);
    await push(
      api,
      'shop.orders',
      hours(24 * 9, i => 50 + 20 * Math.sin((2 * Math.PI * i) / 24) + ((i * 7919) % 13) / 5),
    );
    goalId = await activeOf(api, 'shop.orders');
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  test('at the activation all that stand forecast the same folds, and the best is the champion', async () => {
    const { tournaments: list, total } = await tournaments(api, goalId);
    assert.is(total, 1);
    first = list[0];
    assert.equal(await tournament(api, goalId, first.tournament_id), first);
    const { status, trigger, metric, folds, progress } = first;
    assert.equal([status, trigger, metric, folds, progress], ['completed', 'activation', 'crps', 5, 1]);
    assert.is(first.cutoffs.length, 5);
    assert.equal(first.cutoffs, [...new Set<string>(first.cutoffs)].sort());
    const roles = first.contestants.flatMap((one: Json) => one.roles);
    assert.equal(roles.sort(), ['baseline', 'generalist']);
    const notScored = first.contestants.filter((one: Json) => one.status !== 'scored');
    assert.equal(notScored, []);
    const names = first.leaderboard.map((one: Json) => one.name);
    for (const name of ['seasonal naive', 'Presage nano', 'theta', 'mstl with ets', 'mean of the best 3'])
      assert.ok(names.includes(name), name);
    assert.not.ok(names.includes('arima'), 'it takes too long to take part unasked');
    const scores = first.leaderboard.map((one: Json) => one.score);
    assert.equal(
      scores,
      [...scores].sort((a, b) => a - b),
    );
    for (const { score, losses, score_interval: interval, coverage_80 } of first.leaderboard) {
      const mean = losses.reduce((sum: number, loss: number) => sum + loss, 0) / losses.length;
      assert.ok(Math.abs(mean - score) < 1e-12);
      assert.ok(interval[0] <= score && score <= interval[1]);
      assert.ok(coverage_80 >= 0 && coverage_80 <= 1);
    }
    assert.equal([first.decision.result, first.decision.by], ['replaced', 'policy']);
    assert.is(first.champion_before, null);
    assert.equal(await champion(), first.champion_after);
    assert.equal((await goal(api, goalId)).runner_up, first.runner_up);
    assert.equal([first.champion_after.name, first.champion_after.score], [names[0], scores[0]]);
  });

  test('its champion is recommended where it is of the catalogue, with the evidence', async () => {
    const recommended = async () => (await api.call('GET', '/v1/models/recommended')).json.data;
    const naive = first.leaderboard.find((one: Json) => one.name === 'seasonal naive');
    const nano = first.leaderboard.find((one: Json) => one.name === 'Presage nano');
    assert.ok(nano.score < naive.score);
    const crown = async ({ contestant_id }: Json) => {
      const body = { contestant_id, reason: 'To see' };
      assert.is((await api.call('POST', path(`/${first.tournament_id}/crown`), { body })).status, 200);
    };
    await crown(naive);
    assert.is((await recommended()).blueprint, null);
    await crown(nano);
    const { blueprint, evidence, reason, computed_at } = await recommended();
    assert.is(blueprint.uid, 'presage__nano');
    const { tournament_id, finished_at, leaderboard } = first;
    assert.equal(evidence, { tournament_id, score: nano.score, baseline_score: naive.score });
    assert.is(computed_at, finished_at);
    assert.ok(reason.includes(`a tournament of ${leaderboard.length} for shop.orders`), reason);
    await crown(leaderboard.find((one: Json) => one.name === 'theta'));
    assert.is((await recommended()).blueprint.uid, 'blueprint__theta');
    await crown(leaderboard[0]);
  });

  test('the models that are named, and the champion defends itself', async () => {
    const before = await champion();
    const models = [{ family: 'presage', slug: 'nano' }, { model: 'blueprint__theta' }];
    const found = await held(api, goalId, { folds: 3, models, include_ensembles: false, metric: 'mae' });
    assert.ok(found.contestants.length <= 4);
    assert.is(found.contestants.filter((one: Json) => one.roles.includes('champion')).length, 1);
    assert.equal(found.champion_before, before);
    assert.equal([found.metric, found.trigger], ['mae', 'manual']);
    const isKept = found.decision.result === 'kept';
    assert.is(isKept, !found.leaderboard.some((one: Json) => one.beats_champion));
    if (isKept) assert.equal([found.champion_after, await champion()], [before, before]);
  });

  test('a champion that is a blend is told from the new one of its name', async () => {
    const name = 'mean of the best 3';
    const blend = first.leaderboard.find((one: Json) => one.name === name);
    const body = { contestant_id: blend.contestant_id, reason: 'It is made of three' };
    assert.is((await api.call('POST', path(`/${first.tournament_id}/crown`), { body })).status, 200);
    const found = await held(api, goalId, {
      ...QUICK,
      models: [{ family: 'presage', slug: 'nano' }, ...QUICK.models],
    });
    assert.is(found.champion_before.name, name);
    for (const shown of [found.leaderboard, found.contestants]) {
      const same = shown.filter((one: Json) => one.name === name);
      assert.equal(same.map((one: Json) => one.roles).sort(), [[], ['champion']]);
    }
  });

  test('a person crowns another, and the goal has it at once', async () => {
    const naive = first.leaderboard.find((one: Json) => one.name === 'seasonal naive');
    const body = { contestant_id: naive.contestant_id, reason: 'Everybody understands it' };
    const crown = (sent: object) => api.call('POST', path(`/${first.tournament_id}/crown`), { body: sent });
    const { status, json } = await crown(body);
    assert.is(status, 200);
    assert.equal(json.data.decision, { result: 'replaced', by: 'user', reason: body.reason });
    const found = await champion();
    assert.equal([found.name, found.score], ['seasonal naive', naive.score]);
    assert.is((await crown({ ...body, contestant_id: 'con_nobody' })).status, 404);
    assert.is((await crown({ contestant_id: naive.contestant_id })).status, 422);
  });

  test('a champion has its score in the metric of the goal, or none', async () => {
    const found = await held(api, goalId, { ...QUICK, include_ensembles: false, metric: 'smape' });
    const theta = found.leaderboard.find((one: Json) => one.name === 'theta');
    const body = { contestant_id: theta.contestant_id, reason: 'I like it' };
    assert.is((await api.call('POST', path(`/${found.tournament_id}/crown`), { body })).status, 200);
    assert.not.equal(theta.score, theta.metrics.crps);
    assert.equal([(await champion()).name, (await champion()).score], ['theta', theta.metrics.crps]);
    const change = (metric: string) => api.call('PATCH', `/v1/goals/${goalId}`, { body: { metric } });
    const { champion: changed, runner_up: next } = (await change('mae')).json.data;
    assert.equal([changed.name, changed.score, next.score], ['theta', null, null]);
    assert.is((await change('crps')).json.data.champion.score, theta.metrics.crps);
  });

  test('one that defends its place has a score by that where it had none', async () => {
    const asked = { ...QUICK, include_ensembles: false, metric: 'mae' };
    const before = await held(api, goalId, asked);
    const body = { contestant_id: before.leaderboard[0].contestant_id, reason: 'It is the best' };
    assert.is((await api.call('POST', path(`/${before.tournament_id}/crown`), { body })).status, 200);
    const change = (metric: string) => api.call('PATCH', `/v1/goals/${goalId}`, { body: { metric } });
    const { champion: unjudged, runner_up: next } = (await change('smape')).json.data;
    assert.is(unjudged.score, null);
    const { decision, leaderboard } = await held(api, goalId, asked);
    assert.is(decision.result, 'kept');
    const found = async () => (await champion()).score !== null && goal(api, goalId);
    const judged: Json = await until(found, 'a score');
    assert.equal(judged.champion, { ...unjudged, score: leaderboard[0].metrics.smape });
    assert.equal(judged.runner_up, next);
    assert.is((await change('crps')).status, 200);
  });

  test('what contestants cost, and a budget that does not go far', async () => {
    const balance = async () => (await api.call('GET', '/v1/billing/balance')).json.data;
    const isSettled = async () => Number((await balance()).held) === 0 && balance();
    const before: Json = await until(isSettled, 'no hold');
    const found = await held(api, goalId, { ...QUICK, budget_credits: 1 });
    const out = found.contestants.filter((one: Json) => one.status === 'out_of_budget');
    assert.ok(out.length > 0);
    assert.is(found.credits, 1);
    assert.is(found.leaderboard.filter((one: Json) => one.credits > 0).length, 2);
    const after: Json = await until(isSettled, 'no hold');
    assert.is(Number(after.credits), Number(before.credits) - 1);
    const dear = await start(api, goalId, { max_credits: 1 });
    assert.equal([dear.status, dear.json.error.code], [402, 'price_above_max']);
  });

  test('one at a time, and called off', async () => {
    const id = (await start(api, goalId, { folds: 20 })).json.data.tournament_id;
    const second = await start(api, goalId);
    const isOver = (await tournament(api, goalId, id)).finished_at !== null;
    if (!isOver) assert.equal([second.status, second.json.error.code], [409, 'tournament_running']);
    const { status } = await api.call('POST', path(`/${id}/cancel`), { body: {} });
    const ended = await over(api, goalId, id);
    assert.equal([status, ended.status], status === 200 ? [200, 'cancelled'] : [409, 'completed']);
    const again = await api.call('POST', path(`/${id}/cancel`), { body: {} });
    assert.equal([again.status, again.json.error.code], [409, 'invalid_state']);
  });

  test('the list, and what is wrong', async () => {
    const page = await tournaments(api, goalId, '?status=completed&per_page=2');
    assert.is(page.tournaments.length, 2);
    assert.ok(page.total >= 3);
    const code = async (body: object) => {
      const answer = await start(api, goalId, body);
      return [answer.status, answer.json.error.code];
    };
    assert.equal(await code({ folds: 2 }), [422, 'validation_error']);
    assert.equal(await code({ models: [{}] }), [422, 'validation_error']);
    assert.equal(await code({ models: [{ model: 'mdl_no' }] }), [404, 'not_found']);
    assert.equal(await code({ models: [{ family: 'presage', slug: 'no' }] }), [404, 'model_not_available']);
    assert.is((await api.call('GET', path('/trm_no'))).status, 404);
    assert.is((await start(api, 'goa_no')).status, 404);
    const draft = await draftOf(api, 'shop.orders');
    assert.equal((await start(api, draft)).json.error.code, 'invalid_state');
  });

  test('nobody is crowned of a goal that is put away, or of another series', async () => {
    const before = await champion();
    const { contestant_id } = first.leaderboard[1];
    const body = { contestant_id, reason: 'Too late' };
    const refused = async (): Promise<void> => {
      const { status, json } = await api.call('POST', path(`/${first.tournament_id}/crown`), { body });
      assert.equal([status, json.error.code], [409, 'invalid_state']);
      const { decision } = await tournament(api, goalId, first.tournament_id);
      assert.not.equal(decision.reason, body.reason);
    };
    const turn = async (move: string) =>
      assert.is((await api.call('POST', `/v1/goals/${goalId}/${move}`, { body: {} })).status, 200, move);
    await turn('archive');
    await refused();
    assert.equal(await champion(), before);
    await turn('restore');
    const other = await api.call('PATCH', `/v1/goals/${goalId}`, { body: { step_s: 7_200 } });
    assert.is(other.status, 200, other.text);
    await refused();
    assert.is(await champion(), null);
    await turn('resume');
    const found = await until(champion, 'a champion of the other series');
    const { tournaments: held } = await tournaments(api, goalId);
    const crowned = held.find((each: Json) => each.tournament_id === found.tournament_id);
    assert.equal([crowned.trigger, crowned.status], ['schedule', 'completed']);
    assert.not.ok((await goal(api, goalId)).health_reasons.includes('no_champion'));
  });
});
