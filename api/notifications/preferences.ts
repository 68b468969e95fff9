import { kinds } from '../../domain/notifications/kinds.js';
import { defaultPreferences, type Preferences } from '../../domain/notifications/preferences.js';
import { versionOf } from '../../projections/notifications/documents.js';
import type { FromSchema } from '../../json-schema.js';
import { contextOf } from '../edge/context.js';
import { notValid, type Fault } from '../edge/errors.js';
import { row, type Row } from '../edge/row.js';
import { isTimeZone } from '../edge/time-zone.js';
import { tagOf, versionIn } from '../edge/versions.js';
import { tag, type NotificationDeps } from './deps.js';
import * as schemas from './preference-schemas.js';

type Body = FromSchema<typeof schemas.preferencesBody>;

/** How the caller wants to be told: their own, whatever the workspace. */
export function preferenceRows({ commands, queries, channels, clock, visible }: NotificationDeps): Row[] {
  const path = '/v1/notifications/preferences';
  return [
    row({
      method: 'get',
      path,
      operation: 'getNotificationPreferences',
      summary: 'How the caller wants to be told of what',
      tag,
      access: { kind: 'account', scope: 'workspaces.read' },
      versioned: true,
      answers: { 200: { description: 'The preferences', schema: schemas.preferencesAnswer } },
      async run({ caller: { uid } }) {
        const doc = await queries.preferences(uid);
        return shown(doc?.preferences ?? defaultPreferences, versionOf(doc));
      },
    }),
    row({
      method: 'put',
      path,
      operation: 'setNotificationPreferences',
      summary: 'Say how you want to be told of what',
      description:
        "All of it: what is left out has its default. A kind's own choice counts before the defaults. What "
        + 'nobody speaks of: the feed yes, email no, webhook and slack yes.',
      tag,
      // They hold for all workspaces: as with channels, no token that is limited to some may set them
      access: { kind: 'account', scope: 'workspaces.write', everywhere: true },
      versioned: true,
      body: schemas.preferencesBody,
      errors: { 409: ['version_conflict'] },
      answers: { 200: { description: 'The preferences as they are now', schema: schemas.preferencesAnswer } },
      async run(call) {
        const { uid } = call.caller;
        const faults = faultsIn(call.body, new Set(['in_app', 'email', ...(await channels.idsOf(uid))]));
        if (faults.length > 0) throw notValid(faults);
        const preferences = preferencesIn(call.body);
        const seen = versionIn(call.ifMatch);
        const context = contextOf(call, clock());
        const { position, after } = await commands.setPreferences(uid, preferences, seen, context);
        await visible(position);
        return shown(preferences, after.version);
      },
    }),
  ];
}

function shown(preferences: Preferences, version: number | undefined) {
  const data = preferencesView(preferences);
  return { body: { data }, ...tagOf(version, data) };
}

const preferencesIn = (given: Body): Preferences => ({
  defaults: { ...defaultPreferences.defaults, ...given.defaults },
  kinds: given.kinds ?? {},
  minSeverity: given.min_severity ?? {},
  quietHours: given.quiet_hours
    ? {
        ...{ from: given.quiet_hours.from, to: given.quiet_hours.to },
        timezone: given.quiet_hours.timezone,
        exceptCritical: given.quiet_hours.except_critical ?? true,
      }
    : null,
  digest: given.digest ?? 'off',
});

const preferencesView = ({ defaults, kinds: own, minSeverity, quietHours, digest }: Preferences) => ({
  defaults,
  kinds: own,
  min_severity: minSeverity,
  quiet_hours: quietHours && {
    ...{ from: quietHours.from, to: quietHours.to, timezone: quietHours.timezone },
    except_critical: quietHours.exceptCritical,
  },
  digest,
});

/** What the schema cannot know: which kinds, channels and time zones there are. */
function faultsIn(given: Body, channels: ReadonlySet<string>): Fault[] {
  const faults: Fault[] = [];
  const fault = (loc: readonly string[], msg: string, type: string, input: unknown): void => {
    faults.push({ loc: ['body', ...loc], msg, type, input });
  };
  const mustBeChannels = (loc: readonly string[], named: object = {}): void => {
    for (const name of Object.keys(named))
      if (!channels.has(name))
        fault([...loc, name], 'is neither in_app, email nor a channel of yours', 'unknown_channel', name);
  };
  mustBeChannels(['defaults'], given.defaults);
  mustBeChannels(['min_severity'], given.min_severity);
  for (const [kind, choices] of Object.entries(given.kinds ?? {})) {
    if (!Object.hasOwn(kinds, kind))
      fault(['kinds', kind], 'is no kind of notification', 'unknown_kind', kind);
    mustBeChannels(['kinds', kind], choices);
  }
  const quiet = given.quiet_hours;
  if (quiet && !isTimeZone(quiet.timezone))
    fault(
      ['quiet_hours', 'timezone'],
      'must be a time zone of the IANA database',
      'time_zone',
      quiet.timezone,
    );
  if (quiet && quiet.from === quiet.to)
    fault(['quiet_hours', 'to'], 'must be another time than `from`', 'range', quiet.to);
  return faults;
}
