import * as assert from 'uvu/assert';
import { readingOf } from '../../../domain/notifications/kinds.js';
import { suite } from '../../suite.js';

suite('what notifications say', test => {
  const id = 'prm_1';
  const titles = [
    [{ promotion_id: id }, 'Deployment prm_1 is ready'],
    [{ promotion_id: id, name: null, model: 'presage/nano' }, 'Deployment of presage/nano is ready'],
    [{ promotion_id: id, name: 'night', model: 'presage/nano' }, 'Deployment night (presage/nano) is ready'],
  ] as const;
  for (const [data, title] of titles)
    test(title, () => {
      const reading = readingOf('deployment.ready', data);
      assert.equal([reading.title, reading.link], [title, '/v1/deployments/prm_1']);
    });

  test('a goal that becomes active by itself, one of a fleet with the others', () => {
    const one = readingOf('goal.activated', { goal_id: 'goa_1', goal_name: 'Sales' });
    assert.equal([one.title, one.link], ['Goal Sales is active', '/v1/goals/goa_1']);
    const ofFleet = readingOf('goal.activated', {
      goal_id: 'goa_1',
      fleet_id: 'flt_1',
      fleet_name: 'Stores',
    });
    assert.equal(
      [ofFleet.title, ofFleet.link],
      ['Goals of fleet Stores are active', '/v1/goals/fleets/flt_1'],
    );
  });

  test('a group by its name, or by its id where it has none', () => {
    const invited = (data: object) => readingOf('workspace.invitation', { role: 'editor', ...data }).title;
    assert.is(invited({ workspace_id: 'wsp_1' }), 'You are invited to the workspace wsp_1');
    const named = { organization_id: 'org_1', organization_name: 'Acme' };
    assert.is(invited(named), 'You are invited to the organization Acme');
    const turned = readingOf('workspace.role_changed', { role: 'editor', ...named });
    assert.equal([turned.body, turned.link], ['In the organization Acme.', '/v1/organization/org_1']);
  });
});
