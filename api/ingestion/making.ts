import { eventConfigOf, type GivenEventConfig } from '../../domain/ingestion/event-config.js';
import type { Config } from '../../domain/ingestion/masking.js';
import type { NewSource } from '../../commands/ingestion/sources.js';
import type { Rejected } from '../../domain/rejected.js';
import { object } from '../../json-schema.js';
import { notValid } from '../edge/errors.js';
import { declaredIn, declaredOnly, unknownNames, type Declared } from '../edge/fields.js';
import { checkOf, type Check } from '../edge/validation.js';
import type { Connector } from './connectors.js';

type Ready = { readonly check: Check; readonly declared: Declared };
const ready = new WeakMap<Connector, Ready>();

function readyFor(connector: Connector): Ready {
  const made = ready.get(connector) ?? {
    check: checkOf(object({ config: connector.config }), 'body'),
    declared: declaredIn(connector.config),
  };
  ready.set(connector, made);
  return made;
}

/**
 * Holds a config to what its connector asks for, and answers what of it the connector knows: nobody can say
 * of the rest whether it is a secret. @throws Rejected 422 naming member and fault
 */
export function checkedConfig(connector: Connector, config: Config): Config {
  const { check, declared } = readyFor(connector);
  check({ config });
  return declaredOnly(declared, config) as Config;
}

/** Names in a config that its connector does not know, as `config.name`. */
export function unknownIn(connector: Connector, config: Config): ReadonlySet<string> {
  const names = new Set<string>();
  unknownNames(readyFor(connector).declared, config, names, 'config');
  return names;
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
