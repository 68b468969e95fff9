import * as assert from 'uvu/assert';
import { versionWith } from '../../workers/scoring.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { goal } from './tournaments-world.js';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const TERMS = ['alpine resort'];
const SNOW = 'Gondola stopped, no snow left on the slopes';

suite('profiles of workspaces', test => {
  const folder = temporaryFolder();
  let api: Running;
  let later = 0;
  test.before(async () => {
    api = await startPlatform(folder.path, { terms: TERMS, clock: () => Date.now() + later });
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  const done = async (method: string, path: string, body: unknown) => {
    const answer = await api.call(method, path, { body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.json.data;
  };
  const ofWorkspace = (workspace: string) => api.platform.areas.events.profileOf(workspace);
  /** Once what is remembered of names is old. */
  const profile = () => {
    later += MINUTE;
    return ofWorkspace(api.installed.workspaceId);
  };
  const scored = async (key: string, text: string) => {
    const { event_id: id } = await done('POST', '/v1/event/record', { key, text });
    return until(async () => {
      const { data } = (await api.call('GET', `/v1/event/${id}`)).json;
      return data.status === 'scored' && data;
    }, `a score of ${id}`);
  };

  test('of terms alone are what they were before there were names', async () => {
    const { version, ...said } = await profile();
    assert.equal(said, { description: '', phrases: TERMS, names: [], targets: [] });
    assert.is(version, '188a58c4');
  });

  test('name streams, signals and goals, a display name before a key', async () => {
    const values = Array.from({ length: 60 }, (_, t) => [Date.now() - (60 - t) * HOUR, 100 + (t % 24)]);
    await done('POST', '/v1/signal/push', { key: 'lift_rides', values });
    await done('POST', '/v1/signal/push', { key: 'snow.depth', value: 1 });
    await done('POST', '/v1/signal/display-name', { key: 'snow.depth', name: 'Depth of the snow' });
    const wanted = { name: 'Skiers per day', target: 'lift_rides', horizon: 3, step_s: 3_600 };
    const { goal_id: id } = await done('POST', '/v1/goals', wanted);
    assert.equal((await profile()).targets, [], 'a draft does not stand');
    await done('POST', `/v1/goals/${id}/activate`, { skip_discovery: true });
    await scored('slope-reports', SNOW);
    const { names, targets } = await profile();
    assert.equal(names, ['slope-reports', 'lift_rides', 'Depth of the snow', 'Skiers per day']);
    assert.equal(targets, ['lift_rides']);
    await until(async () => (await goal(api, id)).status === 'active', 'the goal to be active');
    await done('POST', `/v1/goals/${id}/archive`, {});
    assert.equal((await profile()).targets, []);
  });

  test('take the entities of a base for one, and stay small', async () => {
    const entities = Array.from({ length: 40 }, (_, i) => `visitors__hut${i}`);
    const others = Array.from({ length: 20 }, (_, i) => `w${String(i).padStart(2, '0')}`);
    for (const key of [...entities, ...others]) await done('POST', '/v1/signal/push', { key, value: 1 });
    const { names = [] } = await profile();
    assert.equal(names.slice(1, 4), ['lift_rides', 'Depth of the snow', 'visitors']);
    assert.equal(names.slice(4), others.slice(0, 13));
  });

  test('are remembered for a minute', async () => {
    const before = await profile();
    await scored('avalanches', 'Avalanche danger raised to 4');
    const { workspaceId } = api.installed;
    assert.equal(await ofWorkspace(workspaceId), before);
    const after = await profile();
    assert.ok(after.names!.includes('avalanches') && after.version !== before.version);
    assert.equal(await profile(), after, 'more events of a stream change nothing');
  });

  test('weigh in the scores, whose version names them', async () => {
    const known = await profile();
    const { scores, score_version: version } = await scored('slope-reports', `${SNOW} again`);
    assert.ok(version.endsWith(`.${known.version}`), version);
    assert.ok(scores.relevance > 0.5);
  });

  test('are those of one workspace: another that has nothing scores as by no profile', async () => {
    const { workspaceId } = await peopleOf(api.platform).tenant('t@example.org');
    const theirs = await ofWorkspace(workspaceId);
    assert.equal(
      { ...theirs, version: '' },
      {
        ...{ version: '', description: '', phrases: [], names: [], targets: [] },
      },
    );
    assert.is(versionWith(theirs, 'es-1'), 'es-1');
  });
});
