import type { Log } from '../../commands/ports/log.js';
import type { Role } from '../../domain/groups/roles.js';
import type { Scope } from '../../domain/tokens/scopes.js';
import { clientOf, type Answered, type Client } from '../api/client.js';
import type { Json } from '../json.js';
import { peopleOf } from '../people.js';
import { silent, startPlatform, temporaryFolder, until, type Running } from '../platform.js';

// What the stories of this folder share: a platform on a data folder of its own, called over HTTP as somebody
// does who has read the specification and the description alone. The client holds every answer to the
// description. Only people with other rights are made as an operator makes them.

export const DAY = 86_400_000;
export const at = (ms: number): string => new Date(ms).toISOString();

export type World = {
  readonly api: Client;
  readonly running: Running;
  readonly folder: string;
  /** The platform's time, epoch ms. */
  now(): number;
  /** Moves the platform's clock on. */
  later(ms: number): void;
  /** Stops the platform, does something with its folder, and opens it again. */
  restart(between?: () => Promise<void>): Promise<void>;
  /** Somebody with a workspace of their own. */
  tenant(): Promise<Client>;
  /** Somebody of another role in the workspace. */
  member(role: Role): Promise<Client>;
  /** The owner, with a token that has these scopes alone. */
  withScopes(scopes: readonly Scope[]): Promise<Client>;
  close(): Promise<void>;
};

export async function openWorld(
  env: Readonly<Record<string, string>> = {},
  log: Log = silent,
): Promise<World> {
  const folder = temporaryFolder();
  const time = { ahead: 0 };
  const clock = () => Date.now() + time.ahead;
  const open = async (before?: Running) => {
    const running = await startPlatform(folder.path, {
      env,
      clock,
      log,
      ...(before && { installed: before.installed }),
    });
    const described = await running.call('GET', '/openapi/v1.json');
    const login = { token: running.installed.token, workspace: running.installed.workspaceId };
    return { running, login, api: clientOf(running.base, described.json, login) };
  };
  let opened = await open();
  const clients: Client[] = [];
  const as = (token: string, workspace: string): Client => {
    const client = opened.api.as({ token, workspace });
    clients.push(client);
    return client;
  };
  const end = async () => {
    for (const client of [...clients, opened.api]) client.close();
    await opened.running.stop();
  };
  let people = 0;
  return {
    get api() {
      return opened.api;
    },
    get running() {
      return opened.running;
    },
    folder: folder.path,
    now: clock,
    later(ms) {
      time.ahead += ms;
    },
    async restart(between) {
      await end();
      try {
        await between?.();
      } finally {
        opened = await open(opened.running);
      }
    },
    async tenant() {
      const { token, workspaceId } = await peopleOf(opened.running.platform).tenant(
        `t${++people}@example.org`,
      );
      return as(token, workspaceId);
    },
    async member(role) {
      const { person, join } = peopleOf(opened.running.platform);
      const { uid, token } = await person(`m${++people}@example.org`);
      await join('workspace', opened.login.workspace, uid, role);
      return as(token, opened.login.workspace);
    },
    async withScopes(scopes) {
      const { token } = peopleOf(opened.running.platform);
      return as(await token(opened.running.installed.uid, { scopes }), opened.login.workspace);
    },
    async close() {
      await end();
      folder.remove();
    },
  };
}

/** The body of an answer that has this status; else throws with what came instead. */
export function expected(answer: Answered<Json>, status = 200): Json {
  if (answer.status !== status)
    throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 1_500)}`);
  return answer.body;
}

/** The `error` of a refusal; throws where the answer is another. */
export function refused(answer: Answered<Json>, status: number, code?: string): Json {
  const body = expected(answer, status);
  if (code !== undefined && body.error.code !== code)
    throw new Error(`${body.error.code} instead of ${code}: ${answer.text.slice(0, 1_500)}`);
  return body.error;
}

/** The places that a 422 names, as `body.horizon`. */
export const places = (answer: Answered<Json>): string[] =>
  expected(answer, 422).detail.map((fault: Json) => fault.loc.join('.'));

/** A token of somebody, for clients that are not this one, and for after a restart. */
export async function tokenOf(
  api: Client,
  granted = ['workspaces.read', 'workspaces.write'],
): Promise<{ readonly token: string; readonly token_id: string }> {
  return expected(await api.post<Json>('/v1/user/api-tokens', { name: 'another', scopes: granted })).data;
}

/** Deploys a model of the first-party family and waits until it is ready; answers its promotion_id. */
export async function deploy(api: Client, slug = 'nano', more: object = {}): Promise<string> {
  const { data } = expected(
    await api.post<Json>('/v1/models/deploy-foundation', { family: 'presage', slug, ...more }),
    201,
  );
  await inState(api, data.promotion_id, 'deployed');
  return data.promotion_id;
}

/** Waits until a deployment has a status; answers what its status endpoint says then. */
export const inState = (api: Client, promotionId: string, status: string): Promise<Json> =>
  until(async () => {
    const { data } = expected(await api.get<Json>(`/v1/deployments/${promotionId}/status`));
    if (data.status === 'failed' && status !== 'failed') throw new Error(JSON.stringify(data));
    return data.status === status && data;
  }, `${promotionId} being ${status}`);

export const forecast = async (api: Client, body: object): Promise<Json> =>
  expected(await api.post<Json>('/v1/inference/forecast', body));

/** Pushes values of a signal, a step apart. */
export async function push(
  api: Client,
  key: string,
  values: readonly number[],
  { from, step = DAY }: { readonly from: number; readonly step?: number },
): Promise<void> {
  const pairs = values.map((value, i) => [from + i * step, value]);
  for (let i = 0; i < pairs.length; i += 5_000)
    expected(await api.post<Json>('/v1/signal/push', { key, values: pairs.slice(i, i + 5_000) }), 200);
}

/** The numbers of a forecast's points under one quantile level. */
export const quantile = (points: readonly Json[], level: number): number[] =>
  points.map(point => point.quantiles[String(level)]);
