import type { Fact } from '../../domain/fact.js';
import type { SignalFact } from '../../domain/signals/facts.js';

export const signalId = (workspace: string, key: string): string => `${workspace}/${key}`;
export const ofSignal = ({ data, meta }: Fact<SignalFact>): string => signalId(meta.workspace!, data.key);
export const groupId = (workspace: string, group: string): string => `${workspace}/${group}`;
/** `revision`: of the signal's journal. */
export const revisionId = (signal: string, revision: number): string =>
  `${signal}/${String(revision).padStart(16, '0')}`;
