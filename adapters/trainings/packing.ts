import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Made } from '../../commands/trainings/work.js';
import type { Outcome } from '../../domain/trainings/ports.js';

const zip = promisify(gzip);
const json = (value: unknown): Promise<Buffer> => zip(JSON.stringify(value));
const sha256Of = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

/** What came of a training as files; `warnings` are added to those of its report. */
export async function packed(
  { report, made, comparison }: Outcome,
  warnings: readonly string[],
): Promise<Made> {
  const { backtest, ...head } = report;
  const all = [...new Set([...report.warnings, ...warnings])];
  const { model = null, graph = null, download = null } = made ?? {};
  const text = model && JSON.stringify(model);
  return {
    score: report.score,
    baselineScore: report.baseline[report.metric as keyof typeof report.baseline] ?? null,
    metrics: report.metrics,
    warnings: all,
    comparison,
    report: await json({ ...head, warnings: all }),
    points: await json(backtest.points),
    model: text === null ? null : await zip(text),
    graph,
    served: servedOf(text, graph),
    download: download && { ...download, sha256: sha256Of(download.bytes) },
  };
}

function servedOf(text: string | null, graph: Uint8Array | null): Made['served'] {
  const served = graph ?? text;
  if (served === null) return null;
  const graphHash = graph ? sha256Of(graph) : '';
  return {
    sha256: sha256Of(served),
    bytes: Buffer.byteLength(served),
    version: sha256Of((text ?? '') + graphHash).slice(0, 12),
  };
}
