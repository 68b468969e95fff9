import * as assert from 'uvu/assert';
import type { Installed } from '../../commands/installation.js';
import { peopleOf } from '../people.js';
import { send, startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';

const ALONE = { SCORING_BACKLOG_PER_WORKSPACE: '2' };
const TOGETHER = { SCORING_BACKLOG_MAX: '2' };

/** A platform on which nothing is scored, with two workspaces, the first of which has three texts waiting. */
async function inBacklog(
  env: Readonly<Record<string, string>>,
  body: (api: Running, quiet: Installed) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const api = await startPlatform(folder.path, { env, running: ['api', 'projections'] });
  try {
    const quiet = await peopleOf(api.platform).tenant('quiet@example.org');
    for (const text of ['one', 'two', 'three']) await record(api, api.installed, text);
    await body(api, quiet);
  } finally {
    await api.stop();
    folder.remove();
  }
}

const record = (api: Running, who: Installed, text: string) =>
  send(api.base, 'POST', '/v1/event/record', who, {
    body: { key: 'news', text, occurred_at: 1_700_000_000 },
  });

/** The first refusal of ever new texts. */
const refusal = (api: Running, who: Installed) => {
  let nth = 0;
  return until(async () => {
    const answer = await record(api, who, `text ${nth++}`);
    return answer.status !== 200 && answer;
  }, 'a refusal');
};

suite('room for texts to be scored', test => {
  test('a workspace with a backlog waits, and no other with it', () =>
    inBacklog(ALONE, async (api, quiet) => {
      const { status, headers, json } = await refusal(api, api.installed);
      assert.equal([status, json.error.code, headers.get('retry-after')], [429, 'rate_limited', '5']);
      const { waiting, ...details } = json.error.details;
      assert.ok(waiting > 2);
      assert.equal([details.policy, details.limit, details.retry_after_s], ['scoring', 2, 5]);
      assert.is((await record(api, quiet, 'a text')).status, 200);
      assert.is((await record(api, api.installed, 'another')).status, 429);
    }));

  test('what needs no score is taken all the same', () =>
    inBacklog(ALONE, async api => {
      await refusal(api, api.installed);
      assert.is((await record(api, api.installed, '42')).status, 200, 'numeric content');
      assert.is((await record(api, api.installed, 'one')).status, 200, 'one that waits already');
      const pushed = await api.call('POST', '/v1/signal/push', { body: { key: 'load', value: 1 } });
      assert.is(pushed.status, 200, pushed.text);
      assert.is((await record(api, api.installed, 'another')).status, 429);
    }));

  test('of a batch what needs no score is taken; one that is refused whole may be sent again', () =>
    inBacklog(ALONE, async api => {
      await refusal(api, api.installed);
      const batch = (...texts: string[]) =>
        api.call('POST', '/v1/event/record-batch', {
          body: { events: texts.map(text => ({ key: 'news', text })) },
        });
      const { accepted, errors } = (await batch('7', 'a text')).json.data;
      assert.equal([accepted, errors.length, errors[0].code], [1, 1, 'rate_limited']);
      const whole = await batch('a text', 'another');
      assert.equal([whole.status, whole.headers.get('retry-after')], [429, '5']);
    }));

  test('with too many in all every workspace waits', () =>
    inBacklog(TOGETHER, async (api, quiet) => {
      const { status, headers, json } = await refusal(api, quiet);
      assert.equal([status, json.error.code, headers.get('retry-after')], [503, 'overloaded', '5']);
      assert.is((await record(api, quiet, '42')).status, 200);
    }));
});
