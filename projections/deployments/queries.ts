import type { Fact } from '../../domain/fact.js';
import type { DeploymentType } from '../../domain/deployments/facts.js';
import { statuses, type Status } from '../../domain/deployments/state.js';
import type { ModelRef } from '../../domain/models/hosted.js';
import { MADE } from '../../domain/models/made.js';
import type { Reader } from '../engine/reader.js';
import { changeId } from './projection.js';
import type { DeploymentDoc, DeploymentEventDoc, RestingDoc } from './documents.js';

export type DeploymentFilter = {
  readonly status?: Status | undefined;
  readonly type?: DeploymentType | undefined;
  readonly pipeline?: string | undefined;
};
export type DeploymentQueries = ReturnType<typeof deploymentQueries>;

/** Those that change by themselves. */
const MOVING: readonly Status[] = ['deploying', 'scaling', 'degraded', 'retiring'];

const SOME = 10;

export const deploymentQueries = (read: Reader) => ({
  /** Null: the workspace has none with this id. */
  async deployment(workspace: string, promotionId: string): Promise<DeploymentDoc | null> {
    const found = await read.get<DeploymentDoc>('deployments', promotionId);
    return found?.workspace === workspace ? found : null;
  },
  /** Newest first. */
  async deployments(workspace: string, filter: DeploymentFilter, limit: number, offset: number) {
    const where = {
      workspace,
      ...(filter.status && { status: filter.status }),
      ...(filter.type && { deployment_type: filter.type }),
      ...(filter.pipeline !== undefined && { pipeline_id: filter.pipeline }),
    };
    const sort = { by: ['created_at', '_id'], descending: true };
    const [items, total] = await Promise.all([
      read.find<DeploymentDoc>('deployments', { where, sort, limit, offset }),
      read.count('deployments', where),
    ]);
    return { items, total };
  },
  /** All of a workspace that are not retired, newest first. */
  async living(workspace: string): Promise<DeploymentDoc[]> {
    const found: DeploymentDoc[] = [];
    for await (const page of read.pages<DeploymentDoc>('deployments', {
      where: { workspace, status: { in: statuses.filter(status => status !== 'retired') } },
      sort: { by: ['created_at', '_id'], descending: true },
    }))
      found.push(...page);
    return found;
  },
  /** How many a workspace has that are not retired. */
  count: (workspace: string): Promise<number> =>
    read.count('deployments', {
      workspace,
      status: { in: statuses.filter(status => status !== 'retired') },
    }),
  /** How a deployment changed, oldest first; `asOf`: by then (epoch ms), null: until now. */
  async events(promotionId: string, asOf: number | null, limit: number, offset: number) {
    const where = { promotion_id: promotionId, ...(asOf !== null && { at: { lte: asOf } }) };
    const [items, total] = await Promise.all([
      read.find<DeploymentEventDoc>('deployment_events', { where, sort: { by: ['_id'] }, limit, offset }),
      read.count('deployment_events', where),
    ]);
    return { items, total };
  },
  /** What a fact changed; null: nothing. */
  change: (fact: Fact) => read.get<DeploymentEventDoc>('deployment_events', changeId(fact)),
  /** Whether a workspace is archived, and its deployments rest. */
  rests: async (workspace: string): Promise<boolean> =>
    (await read.get<RestingDoc>('resting', workspace)) !== null,

  /** By ids, of all workspaces. */
  some: (promotionIds: readonly string[]): Promise<Map<string, DeploymentDoc>> =>
    read.load<DeploymentDoc>('deployments', promotionIds),
  /** Those of all workspaces that change by themselves, page by page. */
  moving: () =>
    read.pages<DeploymentDoc>('deployments', {
      where: { status: { in: MOVING } },
      sort: { by: ['status', '_id'] },
    }),
  /** Those of all workspaces that sleep when nobody calls them, page by page. */
  drowsy: () =>
    read.pages<DeploymentDoc>('deployments', {
      where: { status: 'deployed', scale_to_zero_after_s: { gt: 0 } },
      sort: { by: ['_id'] },
    }),
  /** Those of a model that are deployed, page by page. */
  deployedOf: ({ family, slug }: ModelRef) =>
    read.pages<DeploymentDoc>('deployments', {
      where: { status: 'deployed', family, slug },
      sort: { by: ['_id'] },
    }),
  /** Another one after each change of any deployment; null: there was none yet. */
  async lastChange(): Promise<string | null> {
    const sort = { by: ['_id'], descending: true };
    const query = { where: {}, sort, limit: 1, fields: ['_id'] };
    return (await read.find<DeploymentEventDoc>('deployment_events', query))[0]?._id ?? null;
  },
  /** What was made or brought and is in service, of all workspaces, each once. */
  async madeInService(): Promise<ModelRef[]> {
    const found = new Map<string, ModelRef>();
    const pages = read.pages<DeploymentDoc>('deployments', {
      where: { served: true, family: { in: Object.values(MADE) } },
      sort: { by: ['family', 'slug', '_id'] },
      fields: ['family', 'slug'],
    });
    for await (const page of pages)
      for (const { family, slug } of page) found.set(`${family}/${slug}`, { family, slug });
    return [...found.values()];
  },
  /** Those that a model is needed for, as they are not retired: some of a workspace, how many of others. */
  async needing({ family, slug }: ModelRef, workspace: string) {
    const where = { family, slug, status: { in: statuses.filter(status => status !== 'retired') } };
    const own = { ...where, workspace };
    const [found, ofOwn, ofAll] = await Promise.all([
      read.find<DeploymentDoc>('deployments', { where: own, sort: { by: ['_id'] }, limit: SOME }),
      read.count('deployments', own),
      read.count('deployments', where),
    ]);
    return { own: found.map(({ _id }) => _id), others: ofAll - ofOwn };
  },
  /** The workspaces that have a model in service. */
  async workspacesServing({ family, slug }: ModelRef): Promise<ReadonlySet<string>> {
    const workspaces = new Set<string>();
    const pages = read.pages<DeploymentDoc>('deployments', {
      where: { served: true, family, slug },
      sort: { by: ['_id'] },
      fields: ['workspace'],
    });
    for await (const page of pages) for (const { workspace } of page) workspaces.add(workspace);
    return workspaces;
  },
  /** Those of all workspaces that are served and keep more replicas ready than this, page by page. */
  larger: (replicas: number) =>
    read.pages<DeploymentDoc>('deployments', {
      where: { served: true, replicas_min: { gt: replicas } },
      sort: { by: ['_id'] },
    }),
  /**
   * How many workers are wanted for a model, at least; null: no deployment needs any. Those of archived
   * workspaces do not.
   */
  async wanted({ family, slug }: ModelRef): Promise<number | null> {
    const pages = read.pages<DeploymentDoc>('deployments', {
      where: { served: true, family, slug },
      sort: { by: ['replicas_min', '_id'], descending: true },
      fields: ['workspace', 'replicas_min'],
    });
    for await (const page of pages) {
      const resting = await read.load<RestingDoc>(
        'resting',
        page.map(({ workspace }) => workspace),
      );
      const most = page.find(({ workspace }) => !resting.has(workspace));
      if (most) return most.replicas_min;
    }
    return null;
  },
});
