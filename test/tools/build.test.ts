import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A small program that loads a file late, when it is told to, beside the build script of the project. */
function smallProject(folder: string) {
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'tools'));
  cpSync(join(root, 'tools/build.mjs'), join(folder, 'tools/build.mjs'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const compilerOptions = { module: 'nodenext', target: 'es2023', types: ['node'], rootDir: '.' };
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src', '*.ts'] }));
  write('package.json', '{ "type": "module" }');
  write('package-lock.json', '{}');
  write('src/main.ts', `process.stdin.once('data', async () => (await import('./late.js')).say());`);
  return {
    late: (word: string) => write('src/late.ts', `export const say = (): void => console.log('${word}');`),
    broken: () => write('src/late.ts', 'export const say: number = "none";'),
    build: () => spawnSync(process.execPath, [join(folder, 'tools/build.mjs')], { encoding: 'utf8' }).status,
    link: () => readlinkSync(join(folder, 'dist')),
    start() {
      const child = spawn(process.execPath, [join(folder, 'dist/src/main.js')], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
      const closed = once(child, 'close');
      return async () => {
        child.stdin.end('now\n');
        await closed;
        return said.trim();
      };
    },
  };
}

suite('npm run build', test => {
  const folder = temporaryFolder();
  const project = smallProject(folder.path);
  test.after(folder.remove);

  test('what runs goes on from its own build while another is made', async () => {
    project.late('first');
    assert.is(project.build(), 0);
    const first = project.start();
    project.late('second');
    assert.is(project.build(), 0);
    const second = project.start();
    assert.equal([await first(), await second()], ['first', 'second']);
  });

  test('nothing is built when nothing changed', () => {
    const before = project.link();
    assert.is(project.build(), 0);
    assert.is(project.link(), before);
  });

  test('what does not compile leaves the last build in place, and says so', async () => {
    const before = project.link();
    project.broken();
    assert.ok(project.build() !== 0);
    assert.is(project.link(), before);
    assert.is(await project.start()(), 'second');
  });

  test('a folder from before there were links gives way', () => {
    const other = temporaryFolder();
    const older = smallProject(other.path);
    mkdirSync(join(other.path, 'dist'));
    older.late('first');
    assert.is(older.build(), 0);
    assert.match(older.link(), /^dist-/);
    other.remove();
  });
});
