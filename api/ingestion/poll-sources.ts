import { isIP } from 'node:net';
import type { Refusal } from '../../commands/ingestion/connectors.js';
import type { NewSource } from '../../commands/ingestion/sources.js';
import { eventConfigOf, type GivenEventConfig } from '../../domain/ingestion/event-config.js';
import { secretKept, type Config } from '../../domain/ingestion/masking.js';
import { parsePath, PathFault } from '../../domain/ingestion/paths.js';
import { Rejected } from '../../domain/rejected.js';
import { notValid } from '../edge/errors.js';
import type { Connector } from './connectors.js';
import { restMembers } from './poll-connectors.js';

/** Where a config stands in the body of a request. */
export type At = 'config' | 'event_config';
type Given = GivenEventConfig & Readonly<Record<string, unknown>>;

/** These say how the message itself is sent. */
const OURS = ['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'expect', 'trailer'];

/** Members of `event_config` that say what is asked, as `create-event` has them. */
export const restIn = (given: Given): Config =>
  Object.fromEntries(Object.keys(restMembers).flatMap(name => (name in given ? [[name, given[name]]] : [])));

/** A source that is asked, as its maker wants it. */
export function newPoll(
  connector: Connector,
  name: string | undefined,
  config: Config,
  given: GivenEventConfig,
): NewSource {
  const eventConfig = eventConfigOf(given);
  return {
    name: name ?? `${connector.name} to ${eventConfig.stream}`.slice(0, 120),
    connectorId: connector.id,
    kind: config['produces'] === 'signals' ? 'signal' : 'event',
    ...{ mode: 'poll', eventConfig, secretPlaces: connector.secretPlaces, config, signed: false },
  };
}

/**
 * Holds what a source is to ask to what no schema says.
 * @throws Rejected 422 naming the member, `address_not_allowed` for an address that may not be asked
 */
export async function checkPolled(
  config: Config,
  at: At,
  refusal: (config: Config) => Promise<Refusal | null>,
): Promise<void> {
  const wrong = (field: string, msg: string): Rejected =>
    notValid([{ loc: ['body', at, field], msg, type: 'value_error' }]);
  for (const field of ['url', 'endpoint']) {
    const fault = urlFault(config[field]);
    if (fault !== null) throw wrong(field, fault);
  }
  if (config['host'] !== undefined && !isHost(String(config['host'])))
    throw wrong('host', 'must be the name of a host, or its address');
  const path = pathFault(config['cursor_path']);
  if (path !== null) throw wrong('cursor_path', path);
  const { cursor_path, cursor_param, access_key_id: id, secret_access_key: key, headers, auth } = config;
  if (cursor_param !== undefined && cursor_path === undefined)
    throw wrong('cursor_path', 'is needed with cursor_param');
  if ((id === undefined) !== (key === undefined))
    throw wrong('secret_access_key', 'is needed with access_key_id, and that with it');
  const names = [...Object.keys(headers ?? {}), (auth as { name?: string } | undefined)?.name ?? ''];
  const ours = names.find(name => OURS.includes(name.toLowerCase()));
  if (ours !== undefined) throw wrong('headers', `${ours} is not for you to set`);
  const refused = await refusal(config);
  if (refused) throw notAllowed(at, refused);
}

/**
 * Secrets are for the address that they were given for: who may not read them must not have them sent
 * elsewhere, nor to who sits between. @throws Rejected 422 naming one that is to be given again
 */
export function refuseKeptSecrets(
  { secretPlaces }: Connector,
  { given, before, now }: { readonly given: Config; readonly before: Config; readonly now: Config },
): void {
  const isThere = addressIn(now) === addressIn(before);
  if (isThere && !isLessSure(before, now)) return;
  const kept = secretKept(given, before, secretPlaces);
  if (kept === null) return;
  const why = isThere ? 'who answers is looked at less, or by another ca' : 'the address is another one';
  const msg = `must be given again: ${why}`;
  throw notValid([{ loc: ['body', 'config', ...kept.split('.')], msg, type: 'value_error' }]);
}

const addressIn = ({ url, endpoint, host, port }: Config): string =>
  JSON.stringify([originOf(url), originOf(endpoint), host, port]);
/** Which server answers would be less sure, or be sure by somebody else's word. */
function isLessSure(before: Config, now: Config): boolean {
  const sureness = ({ ssl = 'verify-full' }: Config): number => SURENESS.indexOf(String(ssl));
  const isSure = sureness(before) === SURENESS.length - 1;
  return sureness(now) < sureness(before) || (isSure && now['ca'] !== before['ca']);
}
const SURENESS: readonly string[] = ['disable', 'require', 'verify-full'];

const originOf = (url: unknown): string | null => (url === undefined ? null : new URL(String(url)).origin);

const notAllowed = (at: At, { field, message }: Refusal): Rejected =>
  new Rejected('unprocessable', 'address_not_allowed', `The ${field} ${message}`, {
    detail: [{ loc: ['body', at, field], msg: message, type: 'address_not_allowed' }],
  });

/** A name has letters in its last part: `127.1` and `0` are addresses in disguise. */
const isHost = (host: string): boolean =>
  isIP(host) !== 0 || (/^[\w-]+(\.[\w-]+)*\.?$/.test(host) && !/(^|\.)(\d+|0x[\da-f]*)\.?$/i.test(host));

function urlFault(given: unknown): string | null {
  if (given === undefined) return null;
  const url = URL.canParse(String(given)) ? new URL(String(given)) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    return 'must be an https URL, or http where the operator allows it';
  return url.username !== '' || url.password !== '' ? 'must not hold a user or a password' : null;
}

function pathFault(given: unknown): string | null {
  if (given === undefined) return null;
  try {
    parsePath(String(given));
    return null;
  } catch (error) {
    if (error instanceof PathFault) return error.message;
    throw error;
  }
}
