import * as assert from 'uvu/assert';
import type { ShownAccount } from '../../cli/jobs/billing.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { dataFolder, endAll, get, presage, serve, type Account, type Listening } from './presage.js';

suite('credits and plans on the command line', test => {
  const DATA_DIR = dataFolder();
  let organization: string;
  let who: Account;
  let running: Listening;
  test.before(async () => {
    const made = await presage(['bootstrap', '--json'], { DATA_DIR });
    const ids = JSON.parse(made.stdout) as Record<string, string>;
    organization = ids['organization_id']!;
    who = { token: ids['token']!, workspace: ids['workspace_id']! };
  });
  test.after(async () => {
    await running.stop();
    endAll();
  });
  const done = async (...args: string[]): Promise<ShownAccount> => {
    const { code, stdout, stderr } = await presage([...args, '--json'], { DATA_DIR });
    assert.is(code, 0, stderr);
    return JSON.parse(stdout) as ShownAccount;
  };
  const read = async (path: string): Promise<Json> => (await get(running.base, who, path)).json();
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await presage(args, { DATA_DIR });
    assert.is.not(code, 0, args.join(' '));
    return stderr;
  };

  test('are given without a running platform', async () => {
    const shown = await done('credits', 'grant', organization, '12.5', '--note', 'a start');
    assert.equal([shown.organization_id, shown.plan, shown.available], [organization, 'free', '112.500']);
  });

  test('and beside one, where they are seen at once', async () => {
    running = await serve({ DATA_DIR });
    assert.is((await done('credits', 'adjust', organization, '-12.001')).credits, '100.499');
    const { data } = await read('/v1/billing/balance');
    assert.is(data.available, '100.499');
    const { data: ledger } = await read('/v1/billing/ledger');
    assert.equal(
      ledger.entries.map((e: Record<string, string>) => [e['kind'], e['amount'], e['note']]),
      [
        ['adjustment', '-12.001', null],
        ['grant', '12.500', 'a start'],
        ['grant', '100.000', ledger.entries[2].note],
      ],
    );
    const team = await done('plan', 'set', organization, 'team');
    assert.equal([team.plan, team.next_grant], ['team', '5000.000']);
    const { data: after } = await read('/v1/billing/balance');
    assert.equal([after.plan.id, after.plan.name, after.available], ['team', 'Team', team.available]);
    assert.is((await read(`/v1/organization/${organization}`)).data.plan, 'team');
  });

  test('what cannot be is refused, saying why', async () => {
    assert.match(await refused('credits', 'grant', 'org_nobody', '5'), 'there is no organization org_nobody');
    assert.match(await refused('plan', 'set', organization, 'huge'), 'take one of free, team, scale');
    assert.match(await refused('credits', 'grant', organization, 'much'), 'no number of credits');
    assert.match(await refused('credits', 'grant', organization, '0'), 'above 0');
    assert.match(await refused('credits', 'adjust', organization, '-1000000'), 'are needed');
  });
});
