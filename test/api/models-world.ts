import type { Message } from '../../domain/fact.js';
import { blueprintUidOf, type FoundationListing, type ModelRef } from '../../domain/models/hosted.js';
import type { Installed } from '../../commands/installation.js';
import type { Json } from '../json.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder } from '../platform.js';
import { clientOf, type Answered, type Client } from './client.js';

export type ModelsApi = Awaited<ReturnType<typeof modelsApi>>;

/**
 * A platform with two tenants, each with a client that holds every answer to the description. The clock
 * stands until it is moved.
 */
export async function modelsApi() {
  const folder = temporaryFolder();
  const clock = { now: Date.UTC(2026, 11, 1) };
  const api = await startPlatform(folder.path, {
    running: ['api', 'projections'],
    clock: () => clock.now,
  });
  const { platform } = api;
  const people = peopleOf(platform);
  const description = (await api.call('GET', '/openapi/v1.json')).json;
  const clientFor = ({ token, workspaceId }: Pick<Installed, 'token' | 'workspaceId'>): Client =>
    clientOf(api.base, description, { token, workspace: workspaceId });
  const other = await people.tenant('other@example.org');
  const ann = clientFor(api.installed);
  const bob = clientFor(other);
  return {
    ...{ api, platform, people, clock, clientFor, other, ann, bob },
    /** `data` of an answer that is 200. */
    get: async <T = Json>(path: string, who = ann): Promise<T> => data(await who.get(path)),
    post: async <T = Json>(path: string, body: object, who = ann): Promise<T> =>
      data(await who.post(path, body)),
    /** Puts facts into the log as areas that are built on models do, and waits until they show. */
    tell: (journal: string, ...facts: readonly Message[]) => tellIn(null, journal, ...facts),
    /** The same, of a workspace. */
    tellIn,
    async close(): Promise<void> {
      ann.close();
      bob.close();
      await api.stop();
      folder.remove();
    },
  };

  async function tellIn(
    workspace: string | null,
    journal: string,
    ...facts: readonly Message[]
  ): Promise<void> {
    const store = platform.stores.events;
    const revision = (await store.read(journal)).length - 1;
    const meta = { workspace, actor: 'operator', request: null, correlation: 'c', causation: null };
    const { position } = await store.append(
      journal,
      revision,
      facts.map(fact => ({ ...fact, id: platform.newId(), at: clock.now, meta })),
    );
    await platform.visible(position);
  }
}

export function data<T>({ status, body, text }: Answered<Json>): T {
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return body.data;
}
/** Status and code of a refusal, and its message. */
export const refusal = ({ status, body }: Answered<Json>): [number, string, string] => [
  status,
  body.error?.code,
  body.error?.message,
];

export const requested = (model: ModelRef, promotionId: string) => ({
  type: 'DeploymentRequested',
  data: {
    promotionId,
    deploymentType: 'foundation',
    model: { ...model, version: '0123456789ab' },
    ...{ name: null, horizon: 24, lookback: 512, reason: null, demotes: null },
    ...{ replicas: { min: 1, max: 1 }, scaleToZeroAfterS: null, acceptedNonCommercial: true },
  },
});
export const unpromoted = (model: ModelRef, promotionId: string) => ({
  type: 'DeploymentUnpromoted',
  data: { promotionId, model, reason: null, replacement: null },
});
export const imported = (listing: FoundationListing) => ({
  type: 'FoundationModelImported',
  data: { blueprintUid: blueprintUidOf(listing), listing },
});
export const deprecated = (model: ModelRef, replacement: ModelRef | null) => ({
  type: 'FoundationModelDeprecated',
  data: { blueprintUid: blueprintUidOf(model), replacement },
});
