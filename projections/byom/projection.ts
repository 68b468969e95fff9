import type { ByomFact } from '../../domain/byom/facts.js';
import type { Fact } from '../../domain/fact.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { changedDoc, uploadedDoc, validationDoc, type ByomDoc, type ValidationDoc } from './documents.js';

type Docs = { byom_validations: ValidationDoc; byoms: ByomDoc };

/** Models that users brought, and what was found of them. */
export const byomProjection: Projection = projection<Docs, ByomFact>({
  name: 'byom',
  version: 2,
  carries: [1],
  collections: {
    byom_validations: {
      indexes: [['byom_id', '_id']],
      idOf: ({ data }) => ('validationId' in data ? data.validationId : null),
    },
    byoms: {
      indexes: [
        ['workspace', 'created_at', '_id'],
        ['status', '_id'],
        ['network_sha256', '_id'],
      ],
      idOf: ({ data }) => data.byomId,
    },
  },
  on: {
    ByomUploaded: (_, fact) => ({ byoms: uploadedDoc(fact) }),
    ByomValidationRequested: (before, fact) => ({
      ...change(before, fact),
      byom_validations: validationDoc(fact),
    }),
    ByomValidationStarted: change,
    ByomValidationEnded(before, fact) {
      const { as: status, checks, sample, runtime } = fact.data;
      const doc = before.byom_validations;
      return {
        ...change(before, fact),
        ...(doc && {
          byom_validations: { ...doc, status, checks, sample, runtime, finished_at: fact.at },
        }),
      };
    },
    ByomRegistered: change,
    ByomDeleted: () => ({ byoms: null }),
  },
  sweeps: { ByomDeleted: ({ data }) => ({ byom_validations: { byom_id: data.byomId } }) },
});

function change({ byoms: doc }: Before<Docs>, fact: Fact<ByomFact>): After<Docs> {
  return doc ? { byoms: changedDoc(doc, fact) } : {};
}
