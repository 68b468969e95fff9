import { readConfig } from '../config.js';
import type { Fact } from '../domain/fact.js';
import { iso } from '../domain/time.js';
import type { Audited, AuditOptions } from './jobs/audit.js';
import { columns, outputClosed, print } from './output.js';
import { needData } from './place.js';
import { render } from './run.js';

/** Wide enough for the longest name of a fact, and of a journal. */
const WIDTHS = [24, 10, 25, 70, 24, 36];
const HEAD = ['TIME', 'POSITION', 'TYPE', 'JOURNAL', 'ACTOR', 'REQUEST'];

/** Shows what happened: a table for people, the whole facts one JSON line each for programs. */
export async function audit(options: AuditOptions, ndjson: boolean): Promise<void> {
  const config = readConfig(process.env);
  needData(config);
  if (!ndjson) await print(columns(WIDTHS, HEAD));
  await render(
    { name: 'audit', options, config },
    {
      row: fact => print(ndjson ? `${JSON.stringify(fact)}\n` : line(fact as Fact)),
      result(found) {
        const { facts, last } = found as Audited;
        if (ndjson || outputClosed.aborted) return;
        const more = facts === options.limit ? `; go on with --after ${last}` : '';
        process.stderr.write(`${facts} ${facts === 1 ? 'fact' : 'facts'}${more}\n`);
      },
    },
  );
}

const line = ({ at, position, type, journal, meta }: Fact): string =>
  columns(WIDTHS, [iso(at), String(position), type, journal, meta.actor, meta.request ?? '-']);
