import * as assert from 'uvu/assert';
import type { Installed } from '../../commands/installation.js';
import type { Message } from '../../domain/fact.js';
import { completedData, preparedData, queuedData, told } from '../domain/trainings-given.js';
import type { Json } from '../json.js';
import { peopleOf, type People } from '../people.js';
import { send, startPlatform, temporaryFolder, type Answer, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { appended } from './notifications-world.js';

const PATH = '/v1/models/foundation/adapters';
const backbone = { family: 'presage', slug: 'nano', version: '1' };
const depth = { task: 'forecast', intensity: 'adapt', lookback: 64, horizon: 12 } as const;
const [SECRET, OPEN] = ['adp_secret', 'adp_open'];

type Login = Pick<Installed, 'token' | 'workspaceId'>;

suite('adapters of one workspace, asked for from another', test => {
  const folder = temporaryFolder();
  let running: Running;
  let people: People;
  /** Who made them, as a member of the workspace, and their own one. */
  let ann: Installed;
  test.before(async () => {
    running = await startPlatform(folder.path, { running: ['api', 'projections'] });
    people = peopleOf(running.platform);
    ann = await people.tenant('ann@example.org');
    await people.join('workspace', running.installed.workspaceId, ann.uid, 'editor');
    await made(SECRET, 'private');
    await made(OPEN, 'public');
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  const trainingOf = (adapterId: string): string => adapterId.replace('adp_', 'trn_');
  function queuedAs(adapterId: string, visibility: 'public' | 'private') {
    const by = { ...told, owner: ann.uid };
    const foundation = { model: backbone, ...depth };
    const about = { ...queuedData.blueprint, owner: ann.uid, visibility };
    return {
      type: 'TrainingQueued',
      data: {
        ...{ ...queuedData, ...by, trainingId: trainingOf(adapterId) },
        what: { kind: 'foundation', fineTune: foundation, adapterId },
        blueprint: { ...about, kind: 'foundation', foundation },
      },
    } as const;
  }
  /** A training makes an adapter, of which nothing is kept. */
  async function made(adapterId: string, visibility: 'public' | 'private'): Promise<void> {
    const { platform, installed } = running;
    const trainingId = trainingOf(adapterId);
    const by = { ...told, owner: ann.uid };
    const facts: readonly Message[] = [
      queuedAs(adapterId, visibility),
      { type: 'TrainingClaimed', data: { trainingId, attempt: 1, worker: 'here' } },
      { type: 'TrainingPrepared', data: { ...preparedData(), trainingId } },
      {
        type: 'TrainingCompleted',
        data: { ...completedData(), ...by, trainingId, metric: 'mase', warnings: ['not_kept'] },
      },
    ];
    const journal = `training-${installed.workspaceId}.${trainingId}`;
    for (const fact of facts)
      await platform.visible(
        await appended(platform, journal, installed.workspaceId, platform.clock(), fact),
      );
  }
  const call = (login: Login, method: string, path: string, body?: object): Promise<Answer> =>
    send(running.base, method, path, login, { body });
  const seen = async (login: Login): Promise<string[]> => {
    const { adapters } = (await call(login, 'GET', `${PATH}?visibility=all`)).json.data;
    return adapters.map(({ adapter_id }: Json) => adapter_id).sort();
  };
  const one = (login: Login): Promise<Answer> => call(login, 'GET', `${PATH}/${SECRET}`);
  const deploying = async (login: Login, adapterId: string): Promise<Json> =>
    (await call(login, 'POST', '/v1/deployments', { adapter_id: adapterId })).json.error;
  const limited = async (workspaceIds: readonly string[]): Promise<Login> => ({
    token: await people.token(ann.uid, { workspaceIds }),
    workspaceId: ann.workspaceId,
  });

  test('who made a private one sees it from wherever they are', async () => {
    assert.equal(await seen(ann), [OPEN, SECRET]);
    assert.is((await one(ann)).status, 200);
    assert.is((await deploying(ann, SECRET)).code, 'not_deployable');
    assert.equal(await seen(await limited([ann.workspaceId, running.installed.workspaceId])), [OPEN, SECRET]);
  });

  const isHidden = async (login: Login): Promise<void> => {
    assert.equal(await seen(login), [OPEN]);
    assert.is((await one(login)).json.error.code, 'adapter_not_found');
    const { code, message } = await deploying(login, SECRET);
    assert.equal([code, message], ['not_found', `There is no adapter ${SECRET}`]);
  };

  test('but not by a token that is limited to other workspaces', async () =>
    isHidden(await limited([ann.workspaceId])));

  test('a public one that serves nothing tells others nothing of its training', async () => {
    const { code, message, details } = await deploying(ann, OPEN);
    assert.equal([code, message], ['not_deployable', `The adapter ${OPEN} cannot be deployed`]);
    assert.equal(Object.keys(details), ['request_id']);
    const inside = await deploying({ ...ann, workspaceId: running.installed.workspaceId }, OPEN);
    assert.equal(inside.code, 'role_forbidden');
    const own = await deploying(running.installed, OPEN);
    assert.equal([own.code, own.details.warnings], ['not_deployable', ['not_kept']]);
  });

  test('nor once they left it', async () => {
    const { workspaceId } = running.installed;
    const left = await running.call('DELETE', `/v1/workspace/${workspaceId}/members/${ann.uid}`);
    assert.is(left.status, 200, left.text);
    await isHidden(ann);
  });

  test('all of them are listed and counted, however many, the newest first', async () => {
    const { platform, installed } = running;
    await people.join('workspace', installed.workspaceId, ann.uid, 'editor');
    const many = Array.from({ length: 1_050 }, (_, i) => `adp_many${i}`);
    let at: number | null = null;
    for (const adapterId of many) {
      const fact = queuedAs(adapterId, 'public');
      const journal = `training-${installed.workspaceId}.${fact.data.trainingId}`;
      at = await appended(platform, journal, installed.workspaceId, platform.clock(), fact);
    }
    await platform.visible(at!);
    for (const [asked, count] of [
      ['public', 1_051],
      ['all', 1_052],
      ['private', 1],
    ]) {
      const { data } = (await call(ann, 'GET', `${PATH}?visibility=${asked}`)).json;
      assert.equal([data.count, data.adapters.length], [count, count]);
      const times = data.adapters.map(({ created_at }: Json) => created_at);
      assert.equal(times, times.toSorted().reverse());
    }
  });
});
