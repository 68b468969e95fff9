import * as assert from 'uvu/assert';
import { planIn, termsOf } from '../../domain/billing/plans.js';
import { suite } from '../suite.js';
import { accountWorld, type AccountWorld } from './account-world.js';
import type { Client } from './client.js';

type Shown = { readonly organization_id: string; readonly plan: string };
type One = { readonly data: Shown };
type List = { readonly data: { readonly organizations: readonly Shown[] } };
type Balance = { readonly data: { readonly plan: { readonly id: string } } };

suite('plans of organizations', test => {
  let world: AccountWorld;
  let owner: Client;
  test.before(async () => {
    world = await accountWorld({
      running: ['api', 'projections', 'workers'],
      env: { DEFAULT_PLAN: 'team' },
    });
    owner = world.as(world.api.installed.token, world.api.installed.workspaceId);
  });
  test.after(() => world.close());

  const pathOf = (id: string) => `/v1/organization/${id}`;
  const given = async (id: string, plan: string) => {
    const { commands, plans } = world.api.platform.areas.billing;
    const to = termsOf(plans, planIn(plans, plan)!);
    const { position } = await commands.changePlan(id, to, world.people.operator());
    await world.api.platform.visible(position);
  };

  test('a new one has the plan that those have who were given no other', async () => {
    const { body } = await owner.post<One>('/v1/organization', { name: 'New' });
    assert.is(body.data.plan, 'team');
    assert.is((await owner.get<One>(pathOf(body.data.organization_id))).body.data.plan, 'team');
  });

  test('each shows its own, as its balance does, however it is answered', async () => {
    const { organizationId: first } = world.api.installed;
    const { body } = await owner.post<One>('/v1/organization', { name: 'Other' });
    const { organization_id: other } = body.data;
    await given(first, 'scale');
    await given(other, 'free');
    assert.is((await owner.get<Balance>('/v1/billing/balance')).body.data.plan.id, 'scale');
    const { organizations } = (await owner.get<List>('/v1/organization')).body.data;
    const plans = new Map(organizations.map(({ organization_id, plan }) => [organization_id, plan]));
    assert.equal([plans.get(first), plans.get(other)], ['scale', 'free']);
    assert.is((await owner.get<One>(pathOf(first))).body.data.plan, 'scale');
    assert.is((await owner.patch<One>(pathOf(other), { name: 'Renamed' })).body.data.plan, 'free');
    const gone = { method: 'DELETE', path: pathOf(other), body: { confirm: 'Renamed' } };
    assert.is((await owner.send(gone)).status, 200);
    assert.is((await owner.post<One>(`${pathOf(other)}/restore`)).body.data.plan, 'free');
  });
});
