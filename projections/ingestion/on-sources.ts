import type { SourceFact } from '../../domain/ingestion/sources/facts.js';
import type { Fact } from '../../domain/fact.js';
import type { After, Before } from '../engine/projection.js';
import type { Collections, Docs, On } from './docs.js';
import { changed, created } from './source-documents.js';

/** Every fact that names a source lands on it. */
export const sourceCollections: Collections<'ingestion_sources'> = {
  ingestion_sources: {
    indexes: [
      ['workspace', 'created_at', '_id'],
      ['due', '_id'],
    ],
    idOf: ({ data }) => ('sourceId' in data ? data.sourceId : null),
  },
};

export const onSources: On<SourceFact> = {
  SourceCreated: (_, fact) => ({ ingestion_sources: created(fact) }),
  SourceChanged: change,
  SourcePaused: change,
  SourceResumed: change,
  SourceSecretRotated: change,
  SourceFailing: change,
  SourceRecovered: change,
  SourceDeleted: () => ({ ingestion_sources: null }),
};

function change({ ingestion_sources: source }: Before<Docs>, fact: Fact<SourceFact>): After<Docs> {
  return source ? { ingestion_sources: changed(source, fact) } : {};
}
