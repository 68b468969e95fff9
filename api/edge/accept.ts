import { Rejected } from '../../domain/rejected.js';

const JSON_TYPE = 'application/json';

/** A range of media types that a caller takes; `weight` 0: that it does not take. */
type Range = { readonly type: string; readonly subtype: string; readonly weight: number };

/**
 * Holds the header `Accept` to what may be answered (RFC 9110, 12.5.1): JSON always, since that is what
 * refusals are, and `media`. Where the header is absent, empty, or no range can be read in it, all is taken.
 * @throws Rejected 406
 */
export function mindAccept(accept: string | undefined, media: readonly string[]): void {
  if (accept === undefined || accept === '*/*' || accept === JSON_TYPE) return;
  const ranges = rangesIn(accept);
  if (ranges.length === 0 || ranges.some(takesJson)) return;
  const available = [...new Set([JSON_TYPE, ...media])];
  if (available.some(type => takes(ranges, type))) return;
  throw new Rejected(
    'not_acceptable',
    'not_acceptable',
    `The header Accept takes nothing that is answered here: ${available.join(', ')}`,
    { available },
  );
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** What cannot be read is passed over. Other parameters than the weight tell no two of our answers apart. */
const rangesIn = (accept: string): Range[] =>
  accept
    .toLowerCase()
    .split(',')
    .flatMap(text => {
      const [range = '', ...parameters] = text.split(';').map(part => part.trim());
      // `*` alone is what some old clients send for everything
      const [type = '', subtype = '', ...more] = (range === '*' ? '*/*' : range).split('/');
      if (!TOKEN.test(type) || !TOKEN.test(subtype) || more.length > 0) return [];
      return [{ type, subtype, weight: weightIn(parameters) }];
    });

function weightIn(parameters: readonly string[]): number {
  const said = parameters.find(parameter => parameter.startsWith('q='));
  const weight = Number(said?.slice(2) || 1);
  return Number.isNaN(weight) ? 1 : weight;
}

/** The kinds of JSON with names of their own (`application/problem+json`) are taken as asking for JSON. */
const takesJson = ({ type, subtype, weight }: Range): boolean =>
  weight > 0 && type === 'application' && subtype.endsWith('+json');

/** The range that says most exactly what is meant decides. */
function takes(ranges: readonly Range[], media: string): boolean {
  const [type, subtype] = media.split('/');
  const exact = ranges.filter(range => range.type === type && range.subtype === subtype);
  const ofType = ranges.filter(range => range.type === type && range.subtype === '*');
  const all = ranges.filter(range => range.type === '*' && range.subtype === '*');
  const deciding = [exact, ofType, all].find(some => some.length > 0) ?? [];
  return deciding.some(({ weight }) => weight > 0);
}
