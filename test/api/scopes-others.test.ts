import { newInferenceId } from '../../commands/inference/records.js';
import { executionIdOf } from '../../domain/ingestion/polls/executions.js';
import * as assert from 'uvu/assert';
import { cellCode } from '../../domain/cell.js';
import type { Installed } from '../../commands/installation.js';
import type { People } from '../people.js';
import { send, type Answer, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { bodyOf, filled } from './requests.js';
import { addedChannel } from './channels-world.js';
import { broughtBy } from './byom-world.js';
import { uploadedBy } from './imports-world.js';
import { alertBy, fleetBy, goalBy } from './goals-world.js';
import { namedSegment } from './segments-world.js';
import { pipelinedBy } from './pipelined-world.js';
import { toldBy } from './notifications-world.js';
import { accessWorld, groupRow, nowhere, refused, type NamedRow } from './access-world.js';

/** What must be asked for beside the path. */
const ASKED = [
  ['/known-at', '?at=2026-01-01'],
  ['/forecasts/compare', '?a=fct_nobody&b=fct_nothinghere0'],
] as const;

suite("what is another's, row by row", test => {
  let api: Running;
  let people: People;
  let rows: readonly NamedRow[];
  let stranger: Installed;
  let close: () => Promise<void>;
  test.before(async () => {
    ({ api, people, rows, stranger, close } = await accessWorld());
  });
  test.after(() => close());

  const here = () => api.installed.workspaceId;

  test("another's object is not found: just as one that never was", async () => {
    const { call } = api;
    const own = api.installed;
    const event = (await call('POST', '/v1/event/record', { body: { key: 'secret/key', text: 'Theirs' } }))
      .json.data.event_id as string;
    const made = (
      await call('POST', `/v1/workspace/${own.workspaceId}/invitations`, {
        body: { email: 'x@example.org', role: 'viewer' },
      })
    ).json.data;
    const mine = await people.groups.invite(
      'workspace',
      stranger.workspaceId,
      null,
      'y@example.org',
      'viewer',
      people.operator(),
    );
    await api.platform.visible(mine.position);
    const model = (await call('POST', '/v1/models', { body: { kind: 'custom', algorithm: 'naive' } })).json
      .data;
    const deployed = (
      await call('POST', '/v1/models/deploy-foundation', { body: { family: 'presage', slug: 'nano' } })
    ).json.data;
    const { inferenceId } = await api.platform.areas.inference.records.queue(
      own.workspaceId,
      {
        ...{ task: 'forecast', promotionId: deployed.promotion_id, key: 'secret', series: 1, horizon: 1 },
        ...{ body: { key: 'secret' }, bytes: 16, inferenceId: newInferenceId() },
      },
      { ...people.operator(), workspace: own.workspaceId },
    );
    const channel = await addedChannel(api.platform, own.uid);
    const strangers = await addedChannel(api.platform, stranger.uid);
    const source = { body: { mode: 'push' } };
    const path = '/v1/ingestion/connect/create-event';
    const sourceId = (await call('POST', path, source)).json.data.source_id;
    const strangerSource = (await send(api.base, 'POST', path, stranger, source)).json.data.source_id;
    const [polls, strangersPolls] = await Promise.all([
      polledBy(api.base, own),
      polledBy(api.base, stranger),
    ]);
    const segment = await namedSegment({ call }, 'secret/rows');
    const strangersCall: typeof call = (method, path, sent) => send(api.base, method, path, stranger, sent);
    const strangerSegment = await namedSegment({ call: strangersCall }, 'mine/rows');
    const { status } = await call('PUT', `/v1/segment/${segment.segmentId}/normalization`, {
      body: { method: 'minmax' },
    });
    assert.is(status, 200);
    const trained = await pipelinedBy(call, segment.segmentId);
    const strangersTrained = await pipelinedBy(strangersCall, strangerSegment.segmentId);
    const told = await toldBy(api.platform, own.uid, own.workspaceId);
    const goal = await goalBy(call, 'secret/target');
    const strangersGoal = await goalBy(strangersCall, 'mine/target');
    /** Of each parameter: another's, one that never was, and the caller's own. */
    const values: Record<string, readonly [string, string, string]> = {
      workspace_id: [own.workspaceId, nowhere, stranger.workspaceId],
      organization_id: [own.organizationId, 'org_nothinghere0', stranger.organizationId],
      event_id: [event, `${event.slice(0, -8)}00000000`, ''],
      stream: ['secret/key', 'no/such/key', ''],
      uid: [own.uid, 'usr_nothinghere0', stranger.uid],
      invitation_id: [made.invitation_id, 'inv_nothinghere0', mine.invitationId],
      blueprint_uid: [model.uid, 'mdl_nothinghere0', ''],
      adapter_id: ['adp_nobody', 'adp_nothinghere0', ''],
      // Nobody's: foundation models are there for all
      family: ['nobody', 'nothinghere0', 'presage'],
      slug: ['nobody', 'nothinghere0', 'nano'],
      promotion_id: [deployed.promotion_id, 'prm_0123456789abcdef_0000000000', ''],
      inference_id: [inferenceId, 'inf_0123456789abcdef', ''],
      source_id: [sourceId, 'src_nothinghere0', strangerSource],
      job_id: [polls.jobId, 'job_nothinghere0', strangersPolls.jobId],
      execution_id: [polls.executionId, 'exe_nothinghere0_1', strangersPolls.executionId],
      import_id: [await uploadedBy(api.base, own), 'imp_nothinghere0', await uploadedBy(api.base, stranger)],
      byom_id: [await broughtBy(api.base, own), 'byo_nothinghere0', await broughtBy(api.base, stranger)],
      validation_id: ['val_nobody', 'val_nothinghere0', ''],
      training_id: [trained.trainingId, 'trn_nothinghere0', strangersTrained.trainingId],
      pipeline_id: [trained.pipelineId, 'pip_nothinghere0', strangersTrained.pipelineId],
      goal_id: [goal, 'goa_nothinghere0', strangersGoal],
      alert_id: [await alertBy(call, goal), 'alr_nothinghere0', await alertBy(strangersCall, strangersGoal)],
      instance_id: ['ain_nobody', 'ain_nothinghere0', ''],
      fleet_id: [
        await fleetBy(call, 'secret/sales'),
        'flt_nothinghere0',
        await fleetBy(strangersCall, 'mine/sales'),
      ],
      // Whoever asks for one names its goal first
      forecast_id: ['fct_nobody', 'fct_nothinghere0', ''],
      tournament_id: ['trm_nobody', 'trm_nothinghere0', ''],
      episode_id: ['shk_nobody', 'shk_nothinghere0', ''],
      discovery_id: ['dis_nobody', 'dis_nothinghere0', ''],
      edge_id: ['edg_nobody', 'edg_nothinghere0', ''],
      scenario_id: ['scn_nobody', 'scn_nothinghere0', ''],
      revision_id: ['rev_nobody', 'rev_nothinghere0', ''],
      cycle_id: [trained.cycleId, 'cyc_nothinghere0', strangersTrained.cycleId],
      connector_id: ['nobody', 'nothinghere0', 'webhook'],
      segment_id: [segment.segmentId, 'seg_nothinghere0', strangerSegment.segmentId],
      feature_id: [segment.featureId, 'ftr_nothinghere0', strangerSegment.featureId],
      // The stranger's own has no second version: another's does
      version: ['2', '99', '1'],
      channel_id: [channel.channelId, 'chn_nothinghere0', strangers.channelId],
      delivery_id: [channel.deliveryId, 'dlv_nothinghere0', strangers.deliveryId],
      notification_id: [told, 'ntf_nothinghere0', ''],
      token_id: [own.tokenId, 'tok_nothinghere0', stranger.tokenId],
    };
    let asked = 0;
    for (const row of rows) {
      const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      // Who holds the token of an invitation was given it: it is not found by guessing, and others are told
      // that it is not for them
      // and the address of a source is for whoever can sign
      if (names.length === 0 || names.includes('token') || row.access.kind === 'signed') continue;
      for (const others of [names, names.slice(0, 1), names.slice(1)].filter(
        ({ length }, nth) => length > 0 && (nth === 0 || names.length > 1),
      )) {
        const ask = async (which: 0 | 1) => {
          const named = filled(row.path, name => values[name]![others.includes(name) ? which : 2]);
          const path = named + (ASKED.find(([end]) => named.endsWith(end))?.[1] ?? '');
          return comparable(
            await send(api.base, row.verb, path, stranger, bodyOf(row, { confirm: 'Theirs' })),
            others.map(name => values[name]![which]),
          );
        };
        const [foreign, never] = [await ask(0), await ask(1)];
        const what = `${row.verb} ${row.path} with another's ${others.join()}`;
        assert.equal(foreign, never, what);
        // The name of a stream is nobody's: in one's own workspace it is empty
        if (others.includes('stream'))
          assert.ok(foreign.status === 200 && /"events":\[\]|"deleted":0/.test(foreign.text), what);
        else assert.is(foreign.status, 404, what);
        asked++;
      }
    }
    assert.ok(asked > 20);
    assert.is((await call('GET', `/v1/event/${event}`)).status, 200);
    assert.is(
      (await call('GET', `/v1/workspace/${own.workspaceId}/members`)).json.data.members[0].role,
      'owner',
    );
  });

  test('an organization is no workspace, and the other way round', async () => {
    for (const row of rows.filter(({ path }) => groupRow.test(path))) {
      const swapped = row.path.includes('{workspace_id}') ? stranger.organizationId : stranger.workspaceId;
      const answer = await send(
        api.base,
        row.verb,
        filled(row.path, name => (/(workspace|organization)_id/.test(name) ? swapped : stranger.uid)),
        stranger,
        bodyOf(row, { confirm: 'Theirs' }),
      );
      refused(answer, 404, 'not_found', `${row.verb} ${row.path}`);
    }
  });

  test('a token for one workspace neither sees nor counts the others of its owner', async () => {
    const uid = (await people.person('many@example.org')).uid;
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { groupId, position } = await people.groups.createWorkspace(
        uid,
        { name: `W${n}`, organizationId: stranger.organizationId },
        people.operator(),
      );
      await api.platform.visible(position);
      ids.push(groupId);
    }
    const only = ids.sort()[3]!;
    const token = await people.token(uid, { workspaceIds: [only] });
    const get = (path: string) => send(api.base, 'GET', path, { token, workspaceId: only });
    for (const query of ['', '?per_page=2', '?per_page=2&page=2', '?per_page=1&page=4']) {
      const { data } = (await get(`/v1/workspace${query}`)).json;
      assert.is(data.total, 1, query);
      assert.equal(
        data.workspaces.map((w: { workspace_id: string }) => w.workspace_id),
        query.includes('&page=') ? [] : [only],
        query,
      );
    }
    for (const id of ids)
      assert.is((await get(`/v1/workspace/${id}/members`)).status, id === only ? 200 : 404);
    assert.is(
      (await send(api.base, 'GET', '/v1/event/streams', { token, workspaceId: ids[0]! })).json.error.code,
      'workspace_forbidden',
    );
  });

  test('a workspace id of another form or cell is as unknown as any other', async () => {
    for (const id of ['wsp_', 'x', `wsp_${cellCode('nowhere')}abcdefgh`, `${here()}/x`, ' ', '\u00e9']) {
      const answer = await send(api.base, 'GET', '/v1/event/streams', stranger, {
        headers: { 'x-workspace-id': id },
      });
      assert.ok([400, 403].includes(answer.status), `${id} ${answer.status}`);
    }
  });
});

/**
 * What an answer says, without what differs between any two: its id, its time, its count, and what was asked
 * for.
 */
function comparable({ status, headers, text, json }: Answer, asked: readonly string[]) {
  const kept = [...headers].filter(
    ([name]) => !['x-request-id', 'date', 'ratelimit', 'content-length'].includes(name),
  );
  const said = [json?.error?.details?.request_id as string | undefined, ...asked]
    .filter(part => part !== undefined)
    .reduce((rest, part) => rest.replaceAll(JSON.stringify(part).slice(1, -1), '*'), text);
  return { status, text: said, headers: kept };
}

/** A job of a source that asks nobody, and its first run. */
async function polledBy(base: string, login: Parameters<typeof send>[3]) {
  const event_config = { url: 'https://nobody.invalid/' };
  const made = await send(base, 'POST', '/v1/ingestion/connect/create-event', login, {
    body: { mode: 'poll', event_config },
  });
  const jobId = made.json.data.job_ids[0] as string;
  // By hand, unless its schedule was first
  await send(base, 'POST', `/v1/ingestion/jobs/${jobId}/run`, login);
  return { jobId, executionId: executionIdOf(jobId, 1) };
}
