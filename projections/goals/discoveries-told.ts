import type {
  DiscoveryCancelled,
  DiscoveryCompleted,
  DiscoveryFailed,
  DiscoveryStarted,
} from '../../domain/discovery/facts.js';
import type {
  EdgeOf,
  EdgeRejected,
  EdgeRetired,
  EdgeValidated,
  EdgeWeakened,
} from '../../domain/edges/facts.js';
import type { HappeningDoc } from './documents.js';

type Told = Pick<HappeningDoc, 'kind' | 'data'>;
const ofEdge = ({ edgeId: edge_id, sourceKey: source_key }: EdgeOf) => ({ edge_id, source_key });
const edge =
  (kind: string) =>
  (data: EdgeOf): Told => ({ kind, data: ofEdge(data) });
const moved =
  (kind: string) =>
  (data: (EdgeValidated | EdgeWeakened | EdgeRetired)['data']): Told => ({
    kind,
    data: { ...ofEdge(data), lift: data.lift, ...('reason' in data && { reason: data.reason }) },
  });

/** What is told of the discoveries and the edges of a goal. */
export const ofDiscoveries = {
  DiscoveryStarted: ({ discoveryId, trigger, kind }: DiscoveryStarted['data']): Told => ({
    kind: 'discovery.started',
    data: { discovery_id: discoveryId, trigger, kind },
  }),
  DiscoveryCompleted: ({ discoveryId, tested, found, rejected }: DiscoveryCompleted['data']): Told => ({
    kind: 'discovery.completed',
    data: { discovery_id: discoveryId, tested, found, rejected },
  }),
  DiscoveryFailed: ({ discoveryId, code, message }: DiscoveryFailed['data']): Told => ({
    kind: 'discovery.failed',
    data: { discovery_id: discoveryId, code, message },
  }),
  DiscoveryCancelled: ({ discoveryId }: DiscoveryCancelled['data']): Told => ({
    kind: 'discovery.cancelled',
    data: { discovery_id: discoveryId },
  }),
  EdgeFound: edge('edge.found'),
  EdgeValidated: moved('edge.validated'),
  EdgeWeakened: moved('edge.weakening'),
  EdgeRetired: moved('edge.retired'),
  EdgeRejected: ({ reasons, ...of }: EdgeRejected['data']): Told => ({
    kind: 'edge.rejected',
    data: { ...ofEdge(of), reasons: reasons.map(({ code }) => code) },
  }),
  EdgePinned: edge('edge.pinned'),
  EdgeBlocked: edge('edge.blocked'),
  EdgeUnblocked: edge('edge.unblocked'),
} as const;
