import { readConfig } from '../config.js';
import type { ReactorsOptions, ReactorsShown, Retrying } from './jobs/reactors.js';
import { columns, print } from './output.js';
import { needData } from './place.js';
import { render } from './run.js';

const WIDTHS = [10, 36, 10, 20, 24, 8, 24];
const HEAD = ['REACTOR', 'FACT', 'POSITION', 'TYPE', 'WORKSPACE', 'ATTEMPTS', 'LAST FAILED', 'ERROR'];

/** Shows what reactors have parked, or lets them try it again: a line each, or JSON. */
export async function reactors(options: ReactorsOptions, json: boolean): Promise<void> {
  const config = readConfig(process.env);
  needData(config);
  const asText = options.what === 'list' ? listText : retryText;
  const result = (shown: unknown) =>
    print(json ? `${JSON.stringify(shown, null, 2)}\n` : asText(shown as never));
  await render({ name: 'reactors', options, config }, { result });
}

function listText({ parked, waiting, facts }: ReactorsShown): string {
  const rows = facts.map(fact =>
    columns(WIDTHS, [
      fact.reactor,
      fact.fact_id,
      String(fact.position),
      fact.type,
      fact.workspace_id ?? '-',
      String(fact.attempts),
      fact.last_failed_at,
      fact.error,
    ]),
  );
  const more = parked > facts.length ? `, the first ${facts.length} are shown` : '';
  const counts = `parked facts: ${parked}${more}; that wait to be tried again: ${waiting}\n`;
  return rows.length === 0 ? counts : `${columns(WIDTHS, HEAD)}${rows.join('')}\n${counts}`;
}

function retryText({ retrying }: Retrying): string {
  const lines = Object.entries(retrying).map(([name, count]) => `${name} tries again: ${count}\n`);
  return lines.length === 0 ? 'no fact is parked\n' : lines.join('');
}
