import type { Message } from '../fact.js';
import type { EdgeChecked, EdgeOf } from './facts.js';

type Of = { readonly workspace: string; readonly edgeId: string };

/** What a discovery, or a recheck, found of a source. `isValid`: nothing stands against its validation. */
export type CheckEdge = Message<
  'CheckEdge',
  { readonly workspace: string; readonly isValid: boolean } & EdgeOf & Omit<EdgeChecked['data'], 'passed'>
>;
export type PinEdge = Message<'PinEdge', Of>;
export type BlockEdge = Message<'BlockEdge', Of>;
export type UnblockEdge = Message<'UnblockEdge', Of>;
/** Its goal is of another series now. */
/** `checkId`: the check that measured what holds no more; one that was checked again since stays. */
export type OutdateEdge = Message<'OutdateEdge', Of & { readonly checkId: string }>;

export type EdgeCommand = CheckEdge | PinEdge | BlockEdge | UnblockEdge | OutdateEdge;
