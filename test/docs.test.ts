import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { Row } from '../api/edge/row.js';
import { kindNames } from '../domain/notifications/kinds.js';
import { allRows } from '../tools/all-rows.js';
import { withBarePlatform } from '../tools/bare-platform.js';
import { pages } from '../tools/pages.js';
import { suite } from './suite.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const within = (folder: string, recursive = true): string[] =>
  readdirSync(join(root, folder), { recursive, encoding: 'utf8' }).map(file => `${folder}/${file}`);
const written = [
  ...readdirSync(root),
  ...within('docs'),
  ...readdirSync(join(root, 'models')).map(model => `models/${model}/README.md`),
].filter(file => file.endsWith('.md'));
/** It tells of routes that were, too. */
const present = written.filter(file => file !== 'CHANGELOG.md' && !file.startsWith('docs/decisions/'));

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

  test('the routes that pages name are there', () => {
    const known = rows.map(({ method, path }) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
    const lost = present.flatMap(file =>
      routesIn(file)
        .filter(({ methods, path }) =>
          methods.some(one => !known.some(row => row.path.test(path) && (one === '' || one === row.method))),
        )
        .map(({ methods, path }) => `${file}: ${methods} ${path}`),
    );
    assert.equal(lost, []);
  });

  test('the README leads to every page, and its settings are those of the page of settings', () => {
    const readme = read('README.md');
    assert.equal(
      within('docs', false).filter(file => file.endsWith('.md') && !readme.includes(`](${file})`)),
      [],
    );
    const settings = readme.match(/^\| `[A-Z_]+` \|.*$/gm) ?? [];
    const all = read('docs/configuration.md').split('\n');
    assert.ok(settings.length > 9);
    assert.equal(
      settings.filter(line => !all.includes(line)),
      [],
    );
  });

  test('every area and every folder of tests stands in the architecture', () => {
    const page = read('docs/architecture.md');
    const areas = within('areas').filter(file =>
      /^export (?:(?:async )?function|const) \w+Area\b/m.test(read(file)),
    );
    const names = areas.map(file => `\`${basename(file, '.ts')}\``);
    const folders = readdirSync(join(root, 'test'), { withFileTypes: true }).filter(one => one.isDirectory());
    assert.ok(areas.length > 25);
    assert.equal(
      [...names, ...folders.map(({ name }) => `\`${name}/\``)].filter(name => !page.includes(name)),
      [],
    );
  });

  test('what people are told of stands on its page', () =>
    assert.equal(
      kindNames.filter(kind => !read('docs/notifications.md').includes(`\`${kind}\``)),
      [],
    ));
});

/** Where a page's links lead, each as the one place it may be. */
const linksIn = (file: string): string[][] =>
  [...read(file).matchAll(/\]\((?![a-z]+:|#)([^)#]+)[^)]*\)/g)].map(([, path]) => [
    join(dirname(file), path!),
  ]);

/** Files named in code marks, as seen from the top, from beside the page or, for tests, from test/. */
const placesIn = (file: string): string[][] =>
  [...read(file).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|md|json|sh|yaml|mjs|py)|[\w.-]+\.test\.ts)`/g)].map(
    ([, path]) => [path!, join(dirname(file), path!), join('test', path!)],
  );

const ROUTE = /(?:((?:[A-Z]+, )*(?:GET|POST|PUT|PATCH|DELETE)) +)?(?:\$\w+)?(\/v1\/[\w./{}$-]+)/g;
/** Whole paths of the API, with the methods before them, if any; a variable stands for any value. */
const routesIn = (file: string): { methods: string[]; path: string }[] =>
  [...read(file).matchAll(ROUTE)]
    .filter(([, , path]) => !path!.endsWith('/'))
    .map(([, methods = '', path]) => ({
      methods: methods.split(', '),
      path: path!.replace(/\.+$/, '').replaceAll(/\$\w+|\{\w+\}/g, 'any'),
    }));
