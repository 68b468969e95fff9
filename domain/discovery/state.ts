import type { Fact } from '../fact.js';
import type {
  DiscoveryBegan,
  DiscoveryCompleted,
  DiscoveryFact,
  DiscoveryGathered,
  DiscoveryStarted,
  DiscoveryTested,
} from './facts.js';

export const DISCOVERY_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type DiscoveryStatus = (typeof DISCOVERY_STATUSES)[number];
export const isOpen = (status: DiscoveryStatus): boolean => status === 'queued' || status === 'running';

export type KnownDiscovery = {
  readonly status: DiscoveryStatus;
  readonly started: DiscoveryStarted['data'];
  readonly queuedAt: number;
  readonly began: DiscoveryBegan['data'] | null;
  readonly startedAt: number | null;
  readonly gathered: DiscoveryGathered['data'] | null;
  readonly tested: DiscoveryTested['data'] | null;
  readonly counts: Pick<DiscoveryCompleted['data'], 'tested' | 'found' | 'rejected'> | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly finishedAt: number | null;
};
export type DiscoveryState = { readonly status: 'none' } | KnownDiscovery;
export const initialState: DiscoveryState = { status: 'none' };

export function evolve(state: DiscoveryState, fact: Fact<DiscoveryFact>): DiscoveryState {
  if (fact.type === 'DiscoveryStarted')
    return {
      ...{ status: 'queued', started: fact.data, queuedAt: fact.at, began: null, startedAt: null },
      ...{ gathered: null, tested: null, counts: null, error: null, finishedAt: null },
    };
  return state.status === 'none' ? state : { ...state, ...changed(fact) };
}

function changed(fact: Exclude<Fact<DiscoveryFact>, { type: 'DiscoveryStarted' }>): Partial<KnownDiscovery> {
  switch (fact.type) {
    case 'DiscoveryBegan':
      return { status: 'running', began: fact.data, startedAt: fact.at };
    case 'DiscoveryGathered':
      return { gathered: fact.data };
    case 'DiscoveryTested':
      return { tested: fact.data };
    case 'DiscoveryCompleted': {
      const { tested, found, rejected } = fact.data;
      return { status: 'completed', counts: { tested, found, rejected }, finishedAt: fact.at };
    }
    case 'DiscoveryFailed': {
      const { code, message } = fact.data;
      return { status: 'failed', error: { code, message }, finishedAt: fact.at };
    }
    case 'DiscoveryCancelled':
      return { status: 'cancelled', finishedAt: fact.at };
  }
}

/** How far it is when each of its parts is done, by the time that they take. */
const AT = { began: 0.05, gathered: 0.2, tested: 0.9 } as const;

/** From 0 to 1. */
export function progressOf({ status, began, gathered, tested }: KnownDiscovery): number {
  if (!isOpen(status)) return 1;
  if (tested) return AT.tested;
  if (gathered) return AT.gathered;
  return began ? AT.began : 0;
}
