import type {
  ByomFact,
  ByomUploaded,
  ByomValidationEndedAs,
  ByomValidationRequested,
} from '../../domain/byom/facts.js';
import type { Findings } from '../../domain/byom/report.js';
import { changesBy, uploaded, versionsOf, type Byom } from '../../domain/byom/state.js';
import type { Fact } from '../../domain/fact.js';
import { following } from '../../domain/versions.js';

// All times are epoch ms.

/** A model that a user brought. */
export type ByomDoc = Omit<Byom, 'version'> & {
  readonly _id: string;
  readonly workspace: string;
  /** Of the file that serves; null until it was validated. */
  readonly network_sha256: string | null;
  readonly created_by: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly registered_at: number | null;
  /** As of the model; absent in documents of the version before. */
  readonly version?: number;
};

/** One validation of a model, and what it found so far. */
export type ValidationDoc = Findings & {
  readonly _id: string;
  readonly workspace: string;
  readonly byom_id: string;
  readonly segment_id: string | null;
  readonly status: 'validating' | ByomValidationEndedAs;
  readonly created_at: number;
  readonly finished_at: number | null;
};

export const uploadedDoc = ({ data, at, revision }: Fact<ByomUploaded>): ByomDoc => ({
  _id: data.byomId,
  workspace: data.workspace,
  ...uploaded(data),
  ...{
    network_sha256: null,
    created_by: data.by,
    created_at: at,
    updated_at: at,
    registered_at: null,
    revision,
    version: 1,
  },
});

export const changedDoc = (doc: ByomDoc, fact: Fact<ByomFact>): ByomDoc => ({
  ...doc,
  ...changesBy(fact, doc),
  updated_at: fact.at,
  ...(fact.type === 'ByomValidationEnded' && { network_sha256: fact.data.network?.sha256 ?? null }),
  ...(fact.type === 'ByomRegistered' && { registered_at: fact.at }),
  revision: fact.revision,
  ...following(doc.version, versionsOf(fact.type)),
});

export const validationDoc = ({ data, at }: Fact<ByomValidationRequested>): ValidationDoc => ({
  _id: data.validationId,
  workspace: data.workspace,
  byom_id: data.byomId,
  segment_id: data.segmentId,
  status: 'validating',
  ...{ checks: [], sample: null, runtime: null, created_at: at, finished_at: null },
});
