import type { DeliveryFact } from '../../domain/ingestion/deliveries.js';
import type { WebhookDayForgotten } from '../../domain/ingestion/forgetting.js';
import type { SourceFact } from '../../domain/ingestion/sources/facts.js';
import type { Projection } from '../engine/projection.js';
import type { DeliveryDoc } from './delivery-documents.js';
import type { SourceDoc } from './source-documents.js';

/** All documents of ingestion, by the short names of their collections. */
export type Docs = { source_deliveries: DeliveryDoc; ingestion_sources: SourceDoc };
/** All facts that change them. */
export type Shown = SourceFact | DeliveryFact | WebhookDayForgotten;

export type Collections<K extends keyof Docs> = Pick<Projection<Docs, Shown>['collections'], K>;
/** How some of the facts change documents; one fact may change those of several collections. */
export type On<E extends Shown> = {
  readonly [T in E['type']]: NonNullable<Projection<Docs, Shown>['on'][T]>;
};
