import { utcFormat, utcParse } from 'd3-time-format';
import type { Strftime } from '../../domain/ingestion/imports/times.js';

/** Directives that name a moment (offset, epoch), and such that are not written back as they were read. */
const MOMENT = /%[-_0]?[ZQs]/;
const INEXACT = /%[-_0]?[ZQsfLc]/;

/** Directives of C and Python that are called otherwise here. */
const others: ReadonlyMap<string, string> = new Map([
  ...[['z', '%Z'] as const, ['h', '%b'] as const],
  ...[['F', '%Y-%m-%d'] as const, ['D', '%m/%d/%y'] as const],
  ...[['T', '%H:%M:%S'] as const, ['R', '%H:%M'] as const],
]);

/** Reads times by directives, without those that a calendar does not have. */
export const strftime: Strftime = given => {
  const format = given.replace(
    /%([-_0]?)(.)/gs,
    (all: string, _pad: string, letter: string) => others.get(letter) ?? all,
  );
  const spec = format.replace(/%%/g, '\0');
  const parse = utcParse(format);
  const write = INEXACT.test(spec) ? null : utcFormat(format);
  return {
    isMoment: MOMENT.test(spec),
    read(text) {
      const date = parse(text);
      if (!date || Number.isNaN(date.getTime())) return null;
      // 31 February is read as 2 March, 25:00 as the next day
      const again = write?.(date) ?? text;
      return again === text || numbersIn(again) === numbersIn(text) ? date.getTime() : null;
    },
  };
};

const numbersIn = (text: string): string => (text.match(/\d+/g) ?? []).map(Number).join(' ');
