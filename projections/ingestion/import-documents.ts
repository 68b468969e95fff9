import type { Fact } from '../../domain/fact.js';
import type { ImportFact, ImportUploaded } from '../../domain/ingestion/imports/facts.js';
import { changesBy, uploaded, type Import } from '../../domain/ingestion/imports/state.js';

// All times are epoch ms.

/** A file that was uploaded, and what became of it. */
export type ImportDoc = Omit<Import, 'attempts' | 'hasFile'> & {
  readonly _id: string;
  readonly workspace: string;
  readonly has_file: boolean;
  readonly attempts: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly committed_at: number | null;
  readonly finished_at: number | null;
};

export const uploadedDoc = ({ data, at, revision }: Fact<ImportUploaded>): ImportDoc => {
  const { hasFile: has_file, ...known } = uploaded(data);
  const times = { created_at: at, updated_at: at, committed_at: null, finished_at: null };
  return { _id: data.importId, workspace: data.workspace, ...known, has_file, ...times, revision };
};

export function changedDoc(doc: ImportDoc, fact: Fact<ImportFact>): ImportDoc {
  const { hasFile = doc.has_file, ...changes } = changesBy(fact, doc);
  return {
    ...doc,
    ...changes,
    has_file: hasFile,
    updated_at: fact.at,
    ...(fact.type === 'ImportCommitBegun' && { committed_at: fact.at }),
    ...(fact.type === 'ImportEnded' && { finished_at: fact.at }),
    revision: fact.revision,
  };
}
