import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs a benchmark, `npm run bench -- record --connections=64`; without a name, or with an unknown one, says
// which there are. A benchmark is a script of bench/ whose opening comment gives the command that runs it.

const sources = fileURLToPath(new URL('../../bench/', import.meta.url));
const scripts = fileURLToPath(new URL('../bench/', import.meta.url));
const [name = '', ...args] = process.argv.slice(2);
const script = join(scripts, `${basename(name)}.js`);
if (name !== '' && existsSync(script)) run(script, args);
else list(name);

function run(file: string, options: readonly string[]): void {
  const child = spawn(process.execPath, [file, ...options], { stdio: 'inherit' });
  process.on('SIGINT', () => undefined);
  child.on('close', code => {
    process.exitCode = code ?? 1;
  });
}

function list(unknown: string): void {
  console.log('npm run bench -- NAME [options]\n');
  // its folders hold what scripts share
  for (const file of readdirSync(sources).sort()) {
    if (!file.endsWith('.ts')) continue;
    const each = basename(file, '.ts');
    const words = commentsIn(join(sources, file)).find(text => text.includes(`dist/bench/${each}.js`));
    if (words) console.log(`${each}\n    ${words.split(/\. |: `/)[0]!}`);
  }
  if (unknown === '') return;
  console.error(`\nthere is no benchmark ${unknown}`);
  process.exitCode = 2;
}

/** The comments of a file, each as one line of words. */
function commentsIn(file: string): string[] {
  const comments = readFileSync(file, 'utf8').matchAll(/(?:^\/\/.*\n)+|\/\*\*[\s\S]*?\*\//gm);
  const marks = /^(\/\/|\/\*\*| \*\/?) ?/gm;
  return Array.from(comments, ([text]) => text.replace(marks, '').replace(/\s+/g, ' ').trim());
}
