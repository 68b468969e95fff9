import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { data, notificationsApi, type NotificationsApi } from './notifications-world.js';

const path = '/v1/notifications/preferences';
const defaults = {
  defaults: { in_app: true, email: false },
  kinds: {},
  min_severity: {},
  quiet_hours: null,
  digest: 'off',
};

suite('preferences of notifications', test => {
  let world: NotificationsApi;
  test.before(async () => {
    world = await notificationsApi();
  });
  test.after(() => world.close());

  test('are the defaults until they are set', async () =>
    assert.equal(data(await world.ann.get(path)), defaults));

  test('are set whole: what is left out has its default', async () => {
    const given = {
      defaults: { email: true },
      kinds: { 'deployment.degraded': { in_app: false } },
      min_severity: { email: 'warning' },
      quiet_hours: { from: '22:00', to: '07:00', timezone: 'Europe/Berlin' },
      digest: 'daily',
    };
    const set = data(await world.ann.put(path, given));
    assert.equal(set, {
      ...given,
      defaults: { in_app: true, email: true },
      quiet_hours: { ...given.quiet_hours, except_critical: true },
    });
    assert.equal(data(await world.ann.get(path)), set);
    assert.equal(data(await world.bob.get(path)), defaults);
    // They are a user's own, in every workspace and in none
    const bare = await fetch(world.api.base + path, {
      headers: { authorization: `Bearer ${world.api.installed.token}` },
    });
    assert.equal(((await bare.json()) as { data: unknown }).data, set);
  });

  test('decide what the feed shows', async () => {
    await world.degrade('prm_quiet');
    await world.ann.put(path, {});
    await world.degrade('prm_loud');
    const { notifications } = await world.told(1);
    assert.is(notifications[0]!.data['promotion_id'], 'prm_loud');
  });

  test('name what is wrong', async () => {
    const wrong = async (given: object): Promise<unknown[]> => {
      const answer = await world.ann.put(path, given);
      assert.is(answer.status, 422, answer.text);
      return answer.body.detail.map(({ loc }) => loc.slice(1).join('.'));
    };
    assert.equal(await wrong({ kinds: { 'no.kind': { in_app: true } } }), ['kinds.no.kind']);
    assert.equal(await wrong({ kinds: { constructor: {} } }), ['kinds.constructor']);
    assert.equal(await wrong({ defaults: { chn_others: true } }), ['defaults.chn_others']);
    assert.equal(await wrong({ kinds: { history_revised: { slack: true } } }), [
      'kinds.history_revised.slack',
    ]);
    assert.equal(await wrong({ min_severity: { email: 'loud' } }), ['min_severity.email']);
    const hours = { from: '22:00', to: '07:00', timezone: 'UTC' };
    const quiet = (over: object) => wrong({ quiet_hours: { ...hours, ...over } });
    assert.equal(await quiet({ timezone: 'Europe/Atlantis' }), ['quiet_hours.timezone']);
    assert.equal(await quiet({ to: '22:00' }), ['quiet_hours.to']);
    assert.equal(await quiet({ from: '24:00' }), ['quiet_hours.from']);
    assert.equal(await quiet({ timezone: undefined }), ['quiet_hours.timezone']);
    assert.equal(await quiet({ from: 22, to: 'dawn' }), ['quiet_hours.from', 'quiet_hours.to']);
    assert.equal(await wrong({ quiet_hours: 'never' }), ['quiet_hours']);
    assert.equal(await wrong({ digest: 'hourly' }), ['digest']);
    assert.equal(data(await world.ann.get(path)), defaults);
  });
});
