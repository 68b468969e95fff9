import { object, type ObjectSchema } from '../../json-schema.js';
import type { SecretPlaces } from '../../domain/ingestion/masking.js';

/** A way to get data in, of which there can be many sources. */
export type Connector = {
  readonly id: string;
  readonly name: string;
  readonly kind: 'push' | 'poll' | 'file';
  readonly produces: readonly ('events' | 'signals')[];
  /** What `config` of its sources is. */
  readonly config: ObjectSchema;
  readonly secretPlaces: SecretPlaces;
  readonly status: 'available' | 'beta' | 'disabled';
};

const flag = (fallback: boolean, description: string) =>
  ({ type: 'boolean', default: fallback, description }) as const;

/** What is sent to us. */
export const webhook: Connector = {
  id: 'webhook',
  name: 'Webhook',
  kind: 'push',
  produces: ['events', 'signals'],
  config: object(
    {},
    {
      signed: flag(true, 'whether it gets a secret, with which deliveries are then signed'),
      allow_unsigned: flag(false, 'where there is no secret: whether deliveries are taken all the same'),
      require_timestamp: flag(
        false,
        'whether `X-Webhook-Timestamp` (epoch seconds) must be there, at most 300 s off, and be signed as '
          + '`<timestamp>.<body>`',
      ),
      standard_webhooks: flag(false, 'whether the headers of Standard Webhooks are taken, too'),
    },
  ),
  secretPlaces: [],
  status: 'available',
};

/** All connectors, by their ids. */
export const connectorsOf = (all: readonly Connector[]): ReadonlyMap<string, Connector> =>
  new Map(all.map(connector => [connector.id, connector]));
