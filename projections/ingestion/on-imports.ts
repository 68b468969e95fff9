import type { Fact } from '../../domain/fact.js';
import type { ImportFact } from '../../domain/ingestion/imports/facts.js';
import type { After, Before } from '../engine/projection.js';
import type { Collections, Docs, On } from './docs.js';
import { changedDoc, uploadedDoc } from './import-documents.js';

export const importCollections: Collections<'imports'> = {
  imports: {
    indexes: [
      ['workspace', 'created_at', '_id'],
      ['status', '_id'],
      ['has_file', 'updated_at', '_id'],
    ],
    idOf: ({ data }) => ('importId' in data ? data.importId : null),
  },
};

export const onImports: On<ImportFact> = {
  ImportUploaded: (_, fact) => ({ imports: uploadedDoc(fact) }),
  ImportParsed: change,
  ImportRefused: change,
  ImportCommitBegun: change,
  ImportStarted: change,
  ImportProgressed: change,
  ImportEnded: change,
  ImportFileRemoved: change,
};

function change({ imports: doc }: Before<Docs>, fact: Fact<ImportFact>): After<Docs> {
  return doc ? { imports: changedDoc(doc, fact) } : {};
}
