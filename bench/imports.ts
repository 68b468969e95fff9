import { spawn } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import { batchesOf } from '../adapters/tables/read-table.js';
import { tableFiles } from '../adapters/tables/table-files.js';
import type { Mapping } from '../domain/ingestion/imports/mapping.js';
import { randomOf } from '../test/random.js';
import { median, quick, ratio, table } from './common.js';

/**
 * A csv file of numbers read as an import reads it (its times in a zone, its numbers, its series, handed over
 * in batches), against csv-parse alone, which makes texts of the same cells and drops them: MB/s, processor
 * time, the most memory that a process held. Goal: half as quick as csv-parse, in memory that does not grow
 * with the file. `node dist/bench/imports.js [--quick]`: 100 MB and five million cells, also a tenth of it;
 * --quick: 20 MB and 2 MB.
 */
const CELLS = quick ? 1_000_000 : 5_000_000;
const COLUMNS = 10;
const ALL = { from: 0, most: null };
const ROUNDS = 3;
const names = Array.from({ length: COLUMNS - 1 }, (_, i) => `c${i}`);

const mapping: Mapping = {
  ...{ time: 'time', timeFormat: '%Y-%m-%d %H:%M', timezone: 'Europe/Berlin', layout: 'wide' },
  ...{ key: null, value: null, entity: null, eventText: null, stream: null, onDuplicate: 'revise' },
  columns: Object.fromEntries(names.map(name => [name, name])),
};

async function write(path: string, cells: number): Promise<void> {
  const random = randomOf(7);
  const file = await open(path, 'w');
  await file.write(`time,${names.join(',')}\n`);
  const rows = Math.floor(cells / COLUMNS);
  for (let from = 0; from < rows; from += 5_000) {
    const lines: string[] = [];
    for (let i = from; i < Math.min(rows, from + 5_000); i++) {
      const time = new Date(1_500_000_000_000 + i * 60_000).toISOString().slice(0, 16).replace('T', ' ');
      lines.push(`${time},${names.map(() => (random.below(1e9) / 1e9).toFixed(18)).join(',')}\n`);
    }
    await file.write(lines.join(''));
  }
  await file.close();
}

/** Each in a process of its own; they answer how many cells they saw. */
const ways: Readonly<Record<string, (path: string) => Promise<number>>> = {
  async 'csv-parse alone'(path) {
    let cells = 0;
    const parser = createReadStream(path, { highWaterMark: 262_144 }).pipe(parse({ trim: true }));
    parser.on('data', (row: string[]) => (cells += row.length));
    await new Promise((resolve, reject) => parser.on('end', resolve).on('error', reject));
    return cells - COLUMNS;
  },
  async 'an import reads it'(path) {
    let cells = 0;
    for await (const { series, upTo } of batchesOf({ path, format: 'csv' }, mapping, ALL))
      cells = series.length * upTo + upTo;
    return cells;
  },
  async '... in a process apart'(path) {
    let cells = 0;
    const { signal } = new AbortController();
    for await (const { series, upTo } of tableFiles().rows({ path, format: 'csv' }, mapping, ALL, signal))
      cells = series.length * upTo + upTo;
    return cells;
  },
};

type Said = { readonly cells: number; readonly seconds: number; readonly cpu: number; readonly mb: number };

async function own(way: string, path: string): Promise<void> {
  const start = performance.now();
  const cells = await ways[way]!(path);
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage();
  const mb = process.resourceUsage().maxRSS / 1_024;
  console.log(JSON.stringify({ cells, seconds, cpu: (user + system) / 1e6, mb } satisfies Said));
}

async function saidBy(way: string, path: string): Promise<Said> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), way, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const part of child.stdout) said += String(part);
  return JSON.parse(said) as Said;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'presage-bench-'));
  const base = Object.keys(ways)[0]!;
  try {
    const lines: string[][] = [];
    for (const cells of [CELLS / 10, CELLS]) {
      const path = join(folder, `${cells}.csv`);
      await write(path, cells);
      const size = statSync(path).size / 1e6;
      const all = new Map<string, Said[]>(Object.keys(ways).map(way => [way, []]));
      for (let round = 0; round < ROUNDS; round++)
        for (const [way, said] of all) {
          said.push(await saidBy(way, path));
          if (said.at(-1)!.cells !== cells) throw new Error(`${way} saw ${said.at(-1)!.cells} cells`);
        }
      const of = (way: string, what: keyof Said) => median(all.get(way)!.map(one => one[what]));
      for (const way of all.keys())
        lines.push([
          ...[`${size.toFixed(0)} MB, ${way}`, (size / of(way, 'seconds')).toFixed(1)],
          ...[ratio(of(base, 'seconds') / of(way, 'seconds')), of(way, 'cpu').toFixed(1)],
          of(way, 'mb').toFixed(0),
        ]);
    }
    table(['', 'MB/s', 'ratio', 'processor s', 'most memory, MB'], lines);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [way, path] = process.argv.slice(2).filter(arg => !arg.startsWith('--'));
await (way && path ? own(way, path) : main());
