import type { Message } from '../fact.js';
import type {
  DiscoveryBegan,
  DiscoveryFailed,
  DiscoveryGathered,
  DiscoveryStarted,
  DiscoveryTested,
} from './facts.js';

type Of = { readonly workspace: string; readonly discoveryId: string };
type With<F extends Message> = { readonly workspace: string } & F['data'];

/** Under an id that is taken nothing is started. */
export type StartDiscovery = Message<'StartDiscovery', With<DiscoveryStarted>>;
export type BeginDiscovery = Message<'BeginDiscovery', With<DiscoveryBegan>>;
export type NoteGathered = Message<'NoteGathered', With<DiscoveryGathered>>;
export type NoteTested = Message<'NoteTested', With<DiscoveryTested>>;
/** What was found stands in the edges. */
export type CompleteDiscovery = Message<'CompleteDiscovery', Of>;
export type FailDiscovery = Message<'FailDiscovery', Of & Pick<DiscoveryFailed['data'], 'code' | 'message'>>;
export type CancelDiscovery = Message<'CancelDiscovery', Of>;

export type DiscoveryCommand =
  | StartDiscovery
  | BeginDiscovery
  | NoteGathered
  | NoteTested
  | CompleteDiscovery
  | FailDiscovery
  | CancelDiscovery;
