import type { Fact } from '../fact.js';
import type { ByomFact, ByomUploaded } from './facts.js';
import type { Network } from './report.js';
import type { Format, Signature } from './signature.js';

export const byomStatuses = [
  'uploaded',
  'validating',
  'validated',
  'rejected',
  'unsupported',
  'registered',
  'deleted',
] as const;
export type ByomStatus = (typeof byomStatuses)[number];

export type Byom = {
  readonly status: ByomStatus;
  readonly name: string;
  readonly format: Format;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly signature: Signature;
  /** The newest one; null: none was asked for yet. */
  readonly validation: {
    readonly id: string;
    readonly segmentId: string | null;
    readonly by: string;
    /** How often work on it began. */
    readonly attempts: number;
  } | null;
  /** What serves; null until it was validated. */
  readonly network: Network | null;
  /** What is wrong, of one that was rejected or is unsupported. */
  readonly message: string | null;
  /** In the catalogue; null: it is not. */
  readonly uid: string | null;
  readonly visibility: 'private' | 'public';
  /** Others may have its file, too; absent: it was not made public, or before that meant so. */
  readonly fileShared?: true;
  readonly tags: readonly string[];
  readonly revision: number;
  /** Counts what people did with it. */
  readonly version: number;
};
/** Null: there is none. */
export type ByomState = Byom | null;

export const initialState: ByomState = null;

export const uploaded = (data: ByomUploaded['data']): Omit<Byom, 'revision' | 'version'> => {
  const { name, format, file, bytes, sha256, signature } = data;
  return {
    ...{ status: 'uploaded', name, format, file, bytes, sha256, signature },
    ...{ validation: null, network: null, message: null, uid: null, visibility: 'private', tags: [] },
  };
};

/** How many versions a fact makes: what becomes of a validation makes none. */
export const versionsOf = (type: ByomFact['type']): number =>
  type === 'ByomValidationStarted' || type === 'ByomValidationEnded' ? 0 : 1;

export function evolve(state: ByomState, fact: Fact<ByomFact>): ByomState {
  const { revision } = fact;
  if (fact.type === 'ByomUploaded') return { ...uploaded(fact.data), revision, version: 1 };
  if (!state) return state;
  return { ...state, ...changesBy(fact, state), revision, version: state.version + versionsOf(fact.type) };
}

/** What a fact changes, in the state as in the document. */
export function changesBy(fact: Fact<ByomFact>, { validation }: Pick<Byom, 'validation'>): Partial<Byom> {
  switch (fact.type) {
    case 'ByomUploaded':
      return uploaded(fact.data);
    case 'ByomValidationRequested': {
      const { validationId: id, segmentId, by } = fact.data;
      return { status: 'validating', validation: { id, segmentId, by, attempts: 0 }, message: null };
    }
    case 'ByomValidationStarted':
      return { validation: validation && { ...validation, attempts: validation.attempts + 1 } };
    case 'ByomValidationEnded': {
      const { as: status, network, message } = fact.data;
      return { status, network, message };
    }
    case 'ByomRegistered': {
      const { uid, name, visibility, tags, fileShared } = fact.data;
      return { status: 'registered', uid, name, visibility, tags, ...(fileShared && { fileShared }) };
    }
    case 'ByomDeleted':
      return { status: 'deleted' };
  }
}
