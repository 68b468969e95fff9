import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Stored } from './rows.js';

const DEFAULT_WINDOW = 32;

/**
 * Which events a filtered subscription shows; it looks at `window` events at a time, a checkpoint is due at
 * `every`.
 */
export type Filter = { matches(event: Stored): boolean; window: number; every: number };

/** The filter of a read request; null when it has none. Throws when the expression is none. */
export const readFilter = (options: streams.ReadReq.Options): Filter | null => {
  const filter = options.getFilter();
  if (!filter) return null;
  const onStream = filter.getStreamIdentifier();
  const expression = onStream ?? filter.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const pattern = toPattern(expression?.getRegex() ?? '');
  const window = filter.hasMax() ? filter.getMax() : DEFAULT_WINDOW;
  return {
    matches(event) {
      const text = onStream ? event.stream : event.type;
      return pattern ? pattern.test(text) : prefixes.some(prefix => text.startsWith(prefix));
    },
    window,
    every: window * Math.max(1, filter.getCheckpointintervalmultiplier()),
  };
};

/** The server's expressions are .NET's; flags in front, as `(?i)`, are the one difference kept here. */
const toPattern = (source: string): RegExp | null => {
  if (!source) return null;
  const flags = /^\(\?([ims]+)\)/.exec(source);
  return flags ? new RegExp(source.slice(flags[0].length), flags[1]) : new RegExp(source);
};
