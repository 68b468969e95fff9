import { isReserved } from '../../domain/aliases.js';
import { PATHLESS, PATHLESS_RULE } from '../../domain/events/streams.js';
import {
  shapeFaultsIn,
  type MappingAsked,
  type MappingFault,
} from '../../domain/ingestion/imports/mapping.js';
import { timeFormatFault } from '../../domain/ingestion/imports/times.js';
import type { Rejected } from '../../domain/rejected.js';
import type { FromSchema } from '../../json-schema.js';
import { notValid } from '../edge/errors.js';
import { isTimeZone } from '../edge/time-zone.js';
import type { mappingBody } from './import-schemas.js';

export type MappingBody = FromSchema<typeof mappingBody>;

/** A mapping as a caller gives it. @throws Rejected 422 for what is wrong in it whatever the file is */
export function mappingIn(body: MappingBody): MappingAsked {
  const { time, layout, timezone, key, value, entity, columns, stream } = body;
  const asked: MappingAsked = {
    ...given({ time, layout, timezone, key, value, entity, columns, stream }),
    ...given({ timeFormat: body.time_format, eventText: body.event_text, onDuplicate: body.on_duplicate }),
  };
  const faults = [...shapeFaultsIn(asked), ...partsOf(asked)];
  if (faults.length > 0) throw mappingFaults(faults);
  return asked;
}

/** Null says as little as absence. */
const given = (members: Readonly<Record<string, unknown>>): MappingAsked =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));

/** 422 that names the members of a mapping. */
export const mappingFaults = (faults: readonly MappingFault[]): Rejected =>
  notValid(
    faults.map(({ member, message }) => ({
      loc: ['body', 'mapping', ...member.split(/\.(.*)/s).filter(part => part !== '')],
      msg: message,
      type: 'mapping',
    })),
  );

function partsOf({ timezone, timeFormat, stream, columns }: MappingAsked): MappingFault[] {
  const faults: MappingFault[] = [];
  if (timezone && !isTimeZone(timezone))
    faults.push({ member: 'timezone', message: 'must be a time zone of the IANA database' });
  const ofFormat = timeFormat ? timeFormatFault(timeFormat) : null;
  if (ofFormat !== null) faults.push({ member: 'time_format', message: ofFormat });
  const message = 'has a reserved name and is read-only';
  if (stream && isReserved(stream)) faults.push({ member: 'stream', message });
  if (stream && PATHLESS.includes(stream)) faults.push({ member: 'stream', message: PATHLESS_RULE });
  for (const [column, key] of Object.entries(columns ?? {}))
    if (isReserved(key)) faults.push({ member: `columns.${column}`, message });
  return faults;
}
