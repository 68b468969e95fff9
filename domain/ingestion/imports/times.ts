import { instantAt } from '../../local-time.js';
import { timeFormats, type TimeFormat } from '../../tables/times.js';
import { DAY, EARLIEST, LATEST, SECOND } from '../../time.js';

/** Reads a cell as a time: epoch ms, null when it is none. */
export type ReadTime = (cell: string) => number | null;

/**
 * A reader of times written by strftime directives: as ms of a clock that shows UTC; null for a text that is
 * not written so. `isMoment`: they name a moment wherever one is, as with an offset.
 */
export type Strftime = (format: string) => { readonly read: ReadTime; readonly isMoment: boolean };

/**
 * Times in a format, in a zone where they name none themselves. Directives of strftime are held to; where the
 * format is one of those that are guessed, or none is known (null), ISO 8601 and epoch times are read, too.
 */
export function timeReader(format: string | null, timezone: string, strftime: Strftime): ReadTime {
  const inZone = zoned(timezone);
  if (format?.includes('%')) {
    const { read, isMoment } = strftime(format);
    return bounded(isMoment ? read : inZone(read));
  }
  const readers = [format, 'ISO 8601', 'epoch'].flatMap((name, i, all) => {
    const known = timeFormats.find(each => each.name === name);
    return known && all.indexOf(name) === i ? [momentsOf(known, inZone)] : [];
  });
  return bounded(cell => {
    for (const read of readers) {
      const time = read(cell);
      if (time !== null) return time;
    }
    return null;
  });
}

const DIRECTIVE = /%[-_0]?[aAbBcdDefFgGhHIjLmMpRsSTuUVwWxXyYzZ]|%%/g;
/** Those that name a year, or a moment. */
const OF_YEAR = /%[-_0]?[cDFgGsxyY]/;

/** Why times cannot be read so; null: they can. */
export function timeFormatFault(format: string): string | null {
  if (timeFormats.some(({ name }) => name === format)) return null;
  const rest = format.replace(DIRECTIVE, '');
  if (rest === format || rest.includes('%')) return 'must hold directives of strftime, as %Y-%m-%d %H:%M';
  return OF_YEAR.test(format.replaceAll('%%', '')) ? null : 'must name the year, as %Y does';
}

function momentsOf({ read, isMoment }: TimeFormat, inZone: (read: ReadTime) => ReadTime): ReadTime {
  const local = inZone(read);
  return isMoment ? cell => (isMoment(cell) ? read(cell) : local(cell)) : local;
}

const bounded =
  (read: ReadTime): ReadTime =>
  cell => {
    const time = read(cell.trim());
    return time !== null && time >= EARLIEST && time <= LATEST ? time : null;
  };

const isUtc = (zone: string): boolean => /^(etc\/)?(utc|gmt|z|zulu|uct|universal)$/i.test(zone);

/**
 * Turns what clocks show into moments: an hour that is shown twice is the first of the two, one that clocks
 * jump over the first moment after it. Most days have one offset, which is looked up once.
 */
const zoned = (timezone: string): ((read: ReadTime) => ReadTime) => {
  if (isUtc(timezone)) return read => read;
  const offsets = new Map<number, number | null>();
  const offsetOf = (day: number): number | null => {
    const known = offsets.get(day);
    if (known !== undefined) return known;
    if (offsets.size >= MOST_DAYS) offsets.clear();
    const [start, end] = [day * DAY, (day + 1) * DAY].map(local => instantAt(local, timezone) - local);
    const offset = start === end ? start! : null;
    offsets.set(day, offset);
    return offset;
  };
  return read => cell => {
    const local = read(cell);
    if (local === null || local < EARLIEST + 3 * DAY || local > LATEST - 3 * DAY) return local;
    const offset = offsetOf(Math.floor(local / DAY));
    if (offset !== null) return local + offset;
    const whole = Math.floor(local / SECOND) * SECOND;
    return instantAt(whole, timezone) + local - whole;
  };
};
const MOST_DAYS = 100_000;
