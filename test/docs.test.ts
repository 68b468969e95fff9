import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { Row } from '../api/edge/row.js';
import { allRows } from '../tools/all-rows.js';
import { withBarePlatform } from '../tools/bare-platform.js';
import { pages } from '../tools/pages.js';
import { suite } from './suite.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const written = [
  ...readdirSync(root),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(file => `docs/${file}`),
].filter(file => file.endsWith('.md'));

suite('docs', test => {
  let rows: readonly Row[];
  test.before(async () => {
    rows = await withBarePlatform(allRows);
  });

  for (const [name, make] of Object.entries(pages))
    test(`docs/${name} is what the code makes of it (npm run docs)`, () =>
      assert.is(read(`docs/${name}`), make(rows)));

  test('what the pages point to is there', () => {
    const lost = written.flatMap(file =>
      [...linksIn(file), ...placesIn(file)]
        .filter(places => !places.some(place => existsSync(join(root, place))))
        .map(([place]) => `${file}: ${place}`),
    );
    assert.equal(lost, []);
  });
});

/** Where a page's links lead, each as the one place it may be. */
const linksIn = (file: string): string[][] =>
  [...read(file).matchAll(/\]\((?![a-z]+:|#)([^)#]+)[^)]*\)/g)].map(([, path]) => [
    join(dirname(file), path!),
  ]);

/** Files named in code marks, as seen from the top or, for tests, from test/. */
const placesIn = (file: string): string[][] =>
  [...read(file).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|md|json|sh|yaml|mjs))`/g)].map(([, path]) => [
    path!,
    join('test', path!),
  ]);
