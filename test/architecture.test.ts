import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from './suite.js';

const root = findRoot(dirname(fileURLToPath(import.meta.url)));

/** Which rooms a room may import from; `main` and `config` are files at the top. */
const mayKnow: Record<string, readonly string[]> = {
  domain: [],
  commands: ['domain'],
  projections: ['domain'],
  workers: ['domain', 'commands', 'projections'],
  api: ['domain', 'commands', 'projections'],
  adapters: ['domain', 'commands', 'projections', 'config'],
};
const impure =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bperformance\.|\bsetTimeout\b|\bcrypto\.|from '(?!\.)/;

suite('architecture', test => {
  for (const [room, known] of Object.entries(mayKnow)) {
    test(`${room} knows ${known.join(', ') || 'nothing'}`, () => {
      const leaks = sources(room).flatMap(file =>
        imports(file)
          .filter(target => target !== room && !known.includes(target))
          .map(target => `${relative(root, file)} imports ${target}`),
      );
      assert.equal(leaks, []);
    });
  }

  test('the domain has no clock, no randomness, no IO and no packages', () => {
    assert.equal(
      sources('domain')
        .filter(file => impure.test(withoutComments(file)))
        .map(file => relative(root, file)),
      [],
    );
  });

  test('only commands and the stores themselves append', () => {
    const writers = Object.keys(mayKnow)
      .filter(room => room !== 'commands' && room !== 'adapters')
      .flatMap(sources)
      .filter(file => /\.append\(/.test(withoutComments(file)));
    assert.equal(
      writers.map(file => relative(root, file)),
      [],
    );
  });

  test('no file is longer than 300 lines', () => {
    const long = [...Object.keys(mayKnow), 'cli', 'bench', 'test']
      .flatMap(sources)
      .filter(file => readFileSync(file, 'utf8').split('\n').length > 301)
      .map(file => relative(root, file));
    assert.equal(long, []);
  });
});

function sources(room: string): string[] {
  const folder = join(root, room);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => join(folder, file));
}

/** The rooms a file imports from. */
function imports(file: string): string[] {
  const paths = [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(match => match[1]!);
  return paths.map(path =>
    relative(root, join(dirname(file), path))
      .split('/')[0]!
      .replace(/\.js$/, ''),
  );
}

const withoutComments = (file: string): string =>
  readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '');

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}
