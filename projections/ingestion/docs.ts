import type { DeliveryFact } from '../../domain/ingestion/deliveries.js';
import type { WebhookDayForgotten } from '../../domain/ingestion/forgetting.js';
import type { ImportFact } from '../../domain/ingestion/imports/facts.js';
import type { ExecutionFact } from '../../domain/ingestion/polls/execution-facts.js';
import type { JobFact } from '../../domain/ingestion/polls/job-facts.js';
import type { SourceFact } from '../../domain/ingestion/sources/facts.js';
import type { Projection } from '../engine/projection.js';
import type { DeliveriesDoc } from './delivery-documents.js';
import type { ImportDoc } from './import-documents.js';
import type { ExecutionDoc, JobDoc } from './poll-documents.js';
import type { SourceDoc } from './source-documents.js';

/** All documents of ingestion, by the short names of their collections. */
export type Docs = {
  source_deliveries: DeliveriesDoc;
  ingestion_executions: ExecutionDoc;
  ingestion_jobs: JobDoc;
  ingestion_sources: SourceDoc;
  imports: ImportDoc;
};
/** All facts that change them. */
export type Shown = SourceFact | DeliveryFact | WebhookDayForgotten | JobFact | ExecutionFact | ImportFact;

export type Collections<K extends keyof Docs> = Pick<Projection<Docs, Shown>['collections'], K>;
/** How some of the facts change documents; one fact may change those of several collections. */
export type On<E extends Shown> = {
  readonly [T in E['type']]: NonNullable<Projection<Docs, Shown>['on'][T]>;
};
