import { eventConfigOf, type GivenEventConfig } from '../../domain/ingestion/event-config.js';
import type { NewSource } from '../../commands/ingestion/sources.js';
import type { Rejected } from '../../domain/rejected.js';
import { object } from '../../json-schema.js';
import { notValid } from '../edge/errors.js';
import { checkOf, type Check } from '../edge/validation.js';
import type { Connector } from './connectors.js';

const checks = new WeakMap<Connector, Check>();

/** Holds a config to what its connector asks for. @throws Rejected 422 naming member and fault */
export function checkConfig(connector: Connector, config: unknown): void {
  const check = checks.get(connector) ?? checkOf(object({ config: connector.config }), 'body');
  checks.set(connector, check);
  check({ config });
}

const wrongConnector = (msg: string, input: string): Rejected =>
  notValid([{ loc: ['body', 'connector_id'], msg, type: 'connector', input }]);

/** @throws Rejected 422 for a connector that there is not, or whose sources are not made like this */
export function connectorNamed(connectors: ReadonlyMap<string, Connector>, id: string): Connector {
  const connector = connectors.get(id);
  if (!connector || connector.status === 'disabled')
    throw wrongConnector(`must be one of ${[...connectors.keys()].join(', ')}`, id);
  if (connector.kind === 'file')
    throw wrongConnector('has no sources of its own: send files to /v1/ingestion/files', id);
  return connector;
}

/** A webhook source as its maker wants it. */
export const newWebhook = (
  connector: Connector,
  name: string | undefined,
  config: Readonly<Record<string, unknown>>,
  given: GivenEventConfig,
  kind: 'event' | 'mixed',
): NewSource => {
  const eventConfig = eventConfigOf(given);
  return {
    name: name ?? `${connector.name} to ${eventConfig.stream}`.slice(0, 120),
    connectorId: connector.id,
    ...{ kind, mode: 'push', eventConfig, secretPlaces: connector.secretPlaces },
    config: {
      signed: true,
      allow_unsigned: false,
      require_timestamp: false,
      standard_webhooks: false,
      ...config,
    },
    signed: config['signed'] !== false,
  };
};
