import type { GroupKind } from '../domain/groups/facts.js';
import type { ModelRef } from '../domain/models/hosted.js';
import type { Notice } from '../domain/notifications/notice.js';

type Data = Notice['data'];
type Deps = {
  readonly group: (kind: GroupKind, id: string) => Promise<{ readonly name: string } | null>;
  readonly deployment: (
    promotionId: string,
  ) => Promise<(ModelRef & { readonly name: string | null }) | undefined>;
  readonly model: (blueprintUid: string) => Promise<ModelRef | null>;
  readonly goal: (goalId: string) => Promise<{ readonly name: string } | null>;
  /** Of a workspace, as fleets are. */
  readonly pipeline: (workspace: string, pipelineId: string) => Promise<{ readonly name: string } | null>;
  readonly fleet: (workspace: string, fleetId: string) => Promise<{ readonly name: string } | null>;
};

/**
 * A notice with the names of what it speaks of by id, as they are when it is told: people know these, not
 * ids. What has no name any more keeps its id alone.
 */
export const naming = ({ group, deployment, model, goal, pipeline, fleet }: Deps) => {
  const namesOf: Readonly<Record<string, (id: string, notice: Notice) => Promise<Data>>> = {
    workspace_id: async id => members('workspace_name', (await group('workspace', id))?.name),
    organization_id: async id => members('organization_name', (await group('organization', id))?.name),
    goal_id: async id => members('goal_name', (await goal(id))?.name),
    fleet_id: async (id, notice) => members('fleet_name', (await inIts(notice, fleet, id))?.name),
    pipeline_id: async (id, notice) => members('pipeline_name', (await inIts(notice, pipeline, id))?.name),
    async promotion_id(id) {
      const found = await deployment(id);
      return found ? { name: found.name, model: slashed(found) } : {};
    },
    async blueprint_uid(id) {
      const found = await model(id);
      return found ? { model: slashed(found) } : {};
    },
  };
  return async (notice: Notice): Promise<Notice> => {
    const names = await Promise.all(
      Object.entries(notice.data).map(([member, id]) =>
        typeof id === 'string' ? namesOf[member]?.(id, notice) : undefined,
      ),
    );
    return { ...notice, data: Object.assign({}, notice.data, ...names) as Data };
  };
};

/** What is found by its id in the workspace that a notice is of. */
const inIts = async <T>(
  { to }: Notice,
  find: (workspace: string, id: string) => Promise<T | null>,
  id: string,
): Promise<T | null> => ('workspace' in to && to.workspace !== null ? find(to.workspace, id) : null);

const members = (name: string, value: string | undefined): Data =>
  value === undefined ? {} : { [name]: value };
const slashed = ({ family, slug }: ModelRef): string => `${family}/${slug}`;
