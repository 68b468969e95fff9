import { deploymentChanges, type DeploymentFact } from '../../domain/deployments/facts.js';
import { statusAfter } from '../../domain/deployments/state.js';
import type { Fact } from '../../domain/fact.js';
import type { GroupArchived, GroupRestored } from '../../domain/groups/facts.js';
import { projection, type Before, type Projection } from '../engine/projection.js';
import {
  changed,
  noteOf,
  requested,
  type DeploymentDoc,
  type DeploymentEventDoc,
  type RestingDoc,
} from './documents.js';

type Docs = { deployment_events: DeploymentEventDoc; deployments: DeploymentDoc; resting: RestingDoc };
type Shown = DeploymentFact | GroupArchived | GroupRestored;

/** Of the document of one change. */
export const changeId = ({ position, journal, revision }: Fact): string =>
  `${String(position).padStart(16, '0')}/${journal}/${revision}`;
const isOfDeployment = (fact: Fact<Shown>): fact is Fact<DeploymentFact> => 'promotionId' in fact.data;

/** Deployments, how they changed, and which workspaces' rest. */
export const deploymentsProjection: Projection = projection<Docs, Shown>({
  name: 'deployments',
  version: 2,
  carries: [1],
  collections: {
    deployment_events: {
      indexes: [['promotion_id', '_id']],
      idOf: fact => (isOfDeployment(fact) ? changeId(fact) : null),
    },
    deployments: {
      indexes: [
        ['workspace', 'created_at', '_id'],
        ['status', '_id'],
        ['served', 'family', 'slug', 'replicas_min', '_id'],
      ],
      idOf: fact => (isOfDeployment(fact) ? fact.data.promotionId : null),
    },
    resting: {
      indexes: [],
      idOf: fact => (!isOfDeployment(fact) && fact.data.kind === 'workspace' ? fact.data.groupId : null),
    },
  },
  on: {
    DeploymentRequested: (_, fact) => ({
      deployments: requested(fact),
      deployment_events: entry(fact, null),
    }),
    ...Object.fromEntries(deploymentChanges.map(type => [type, change])),
    GroupArchived: (_, { data: { groupId } }) => ({ resting: { _id: groupId } }),
    GroupRestored: () => ({ resting: null }),
  },
});

function change({ deployments }: Before<Docs>, fact: Fact<DeploymentFact>) {
  if (!deployments) return {};
  return { deployments: changed(deployments, fact), deployment_events: entry(fact, deployments) };
}

const entry = (fact: Fact<DeploymentFact>, before: DeploymentDoc | null): DeploymentEventDoc => ({
  _id: changeId(fact),
  promotion_id: fact.data.promotionId,
  at: fact.at,
  type: fact.type,
  from: before?.status ?? null,
  to: statusAfter(fact.type, before?.status ?? null),
  actor: fact.meta.actor,
  request: fact.meta.request,
  message: noteOf(fact),
});
