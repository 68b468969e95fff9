import { readConfig } from '../config.js';
import type { Difference } from '../workers/engine/compare.js';
import type { Progress } from '../workers/engine/filling.js';
import { codes, Failure } from './exit.js';
import type { Replayed, ReplayOptions } from './jobs/replay.js';
import { print, visible } from './output.js';
import { progressView, shareOf, type Standing } from './progress.js';
import { needData } from './place.js';
import { render } from './run.js';

/**
 * Builds read models anew, or only compares them with what the log says; a difference ends it with
 * `codes.fault`.
 */
export async function replay(options: ReplayOptions): Promise<void> {
  const config = readConfig(process.env);
  const view = progressView();
  needData(config);
  let differences = 0;
  try {
    await render(
      { name: 'replay', options, config },
      {
        progress: so_far => view.show(standing(so_far as Progress)),
        async row(found) {
          view.end();
          await print(differenceText(found as Difference));
        },
        async result(found) {
          view.end();
          const replayed = found as Replayed;
          differences += replayed.differences;
          await print(outcome(replayed, options.verify));
        },
      },
    );
  } finally {
    view.end();
  }
  if (differences > 0)
    throw new Failure(
      'the documents are not what the facts say; mend them with: presage replay',
      codes.fault,
    );
}

function standing({ projection, phase, at, head, facts, documents }: Progress): Standing {
  const base = { label: `${projection}: ${phase}`, share: shareOf(at, head) };
  if (phase === 'comparing') return { ...base, count: documents, unit: 'documents', timed: false };
  if (phase === 'switching') return { ...base, count: 0, unit: '', timed: false };
  return { ...base, count: facts, unit: 'facts', timed: true };
}

function outcome({ projection, facts, documents, differences, ms }: Replayed, verify: boolean): string {
  const seconds = Math.max(ms, 1) / 1000;
  const effort = `${facts} facts in ${seconds.toFixed(1)} s (${Math.round(facts / seconds)} facts/s)`;
  if (!verify) return `${projection}: built anew from ${effort}\n`;
  return differences === 0
    ? `${projection}: all ${documents} documents are as the facts say; ${effort}\n`
    : `${projection}: ${differences} of ${documents} documents differ; ${effort}\n`;
}

const CUT = 120;
const shown = (value: unknown): string => {
  const text = visible(JSON.stringify(value) ?? 'nothing');
  return text.length > CUT ? `${text.slice(0, CUT)}...` : text;
};

/** A document that differs, by its members. */
export function differenceText({ live, id, was, is }: Difference): string {
  const head = `${live} ${visible(id)}`;
  if (was === null || is === null) return `${head}: ${was === null ? 'is missing' : 'should not be there'}\n`;
  const before = was as unknown as Record<string, unknown>;
  const after = is as unknown as Record<string, unknown>;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    name => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return `${head}: its members are in another order\n`;
  const lines = names.map(
    name => `  ${visible(name)}: ${shown(before[name])}, should be ${shown(after[name])}\n`,
  );
  return `${head}\n${lines.join('')}`;
}
