import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Compiles the sources, unless `dist` holds them already. Each build is a folder of its own, and `dist` a link to the
// newest: what runs goes on from its own build, also with the files that it loads later, while the next is made.

/** Builds that are kept, the oldest of which may still be running. */
const KEPT = 20;
const STAMP = '.sources';
const NAME = /^dist-[0-9a-z]+-\d+(\.before)?$/;

const root = fileURLToPath(new URL('../', import.meta.url));
const dist = join(root, 'dist');
const sources = fingerprint();

if (builtFrom(dist) !== sources) {
  const build = `dist-${Date.now().toString(36)}-${process.pid}`;
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '--outDir', build], { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    fs.rmSync(join(root, build), { recursive: true, force: true });
    process.exit(status ?? 1);
  }
  fs.writeFileSync(join(root, build, STAMP), sources);
  serve(build);
  forget();
}

/** A hash of everything that a build is made of. */
function fingerprint() {
  const { include } = JSON.parse(fs.readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const inputs = include.flatMap(entry => (entry === '*.ts' ? typescriptIn('') : typescriptIn(entry)));
  const hash = createHash('sha256');
  for (const file of [...inputs.sort(), 'tsconfig.json', 'package-lock.json'])
    hash
      .update(`${file}\0`)
      .update(fs.readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

function typescriptIn(folder) {
  const files = fs.readdirSync(join(root, folder), { recursive: folder !== '', encoding: 'utf8' });
  return files.filter(file => file.endsWith('.ts')).map(file => join(folder, file));
}

function builtFrom(folder) {
  try {
    return fs.readFileSync(join(folder, STAMP), 'utf8');
  } catch {
    return null;
  }
}

/** Puts the link in place of the one before, in one step; a folder of that name is from before there were links. */
function serve(build) {
  const link = join(root, `${build}.link`);
  fs.symlinkSync(build, link, 'junction');
  if (fs.lstatSync(dist, { throwIfNoEntry: false })?.isDirectory())
    fs.renameSync(dist, join(root, `${build}.before`));
  fs.renameSync(link, dist);
}

function forget() {
  const builds = fs.readdirSync(root).filter(name => NAME.test(name));
  const byAge = builds.sort(
    (a, b) => fs.statSync(join(root, a)).mtimeMs - fs.statSync(join(root, b)).mtimeMs,
  );
  for (const old of byAge.slice(0, -KEPT)) fs.rmSync(join(root, old), { recursive: true, force: true });
}
