import { Rejected } from '../rejected.js';
import { ExpressionFault, parseExpression } from './expression/parser.js';
import { usualSeason } from './fill.js';
import { columnOfStream, columnsOfFeature, needsOfFeature } from './plan.js';
import { LIMITS, type Feature, type FeatureKinds, type Recipe } from './recipe.js';
import { isZone } from './zone.js';

type Path = readonly (string | number)[];

/** The 422 of a recipe in which something is wrong; `path` leads to it from the recipe's root. */
export const recipeFault = (path: Path, type: string, msg: string): Rejected =>
  new Rejected('unprocessable', 'validation_error', '1 field is not valid', {
    detail: [{ loc: ['body', ...path], msg, type }],
  });

/**
 * Looks for what a schema cannot see. A whole number, `steps` and `window` among them, is in its range
 * already where a schema held the recipe to `LIMITS`.
 * @throws Rejected 422 validation_error, which names the field
 */
export function checkRecipe(recipe: Recipe): void {
  if (!isZone(recipe.timezone))
    throw recipeFault(['timezone'], 'zone', `there is no zone ${recipe.timezone}`);
  if (recipe.from !== null && recipe.to !== null && recipe.from >= recipe.to)
    throw recipeFault(['to'], 'range', 'to must be after from');
  if (recipe.fill.method === 'seasonal' && usualSeason(recipe.step_s) === null)
    throw recipeFault(
      ['fill', 'method'],
      'season',
      'a day, a week or a year is no whole number of such steps',
    );
  const known = knownNames(recipe);
  recipe.features.forEach((feature, i) => checkFeature(recipe, feature, known, ['features', i]));
  const columns = known.size;
  if (columns > LIMITS.columns)
    throw recipeFault(['features'], 'columns', `${columns} columns; at most ${LIMITS.columns} are possible`);
}

const RESERVED = ['ts', 'entity'];

/** The names of columns that are there before any feature. */
function knownNames(recipe: Recipe): Set<string> {
  const known = new Set(RESERVED);
  const add = (name: string, path: Path): void => {
    if (known.has(name)) throw recipeFault(path, 'unique', `there is a column ${name} already`);
    known.add(name);
  };
  add(recipe.target, ['target']);
  recipe.inputs.forEach(({ key }, i) => add(key, ['inputs', i, 'key']));
  recipe.event_streams.forEach((stream, i) => add(columnOfStream(stream), ['event_streams', i]));
  return known;
}

/** Adds the feature's columns to those that are known; one that is not enabled has none. */
function checkFeature(recipe: Recipe, feature: Feature, known: Set<string>, path: Path): void {
  const params = [...path, 'params'];
  checkParams(recipe, feature, params);
  for (const { column } of needsOfFeature(feature))
    if (!known.has(column) || RESERVED.includes(column))
      throw recipeFault(
        [...params, fieldOf(feature, column)],
        'column',
        `there is no column ${column} before this feature${placeIn(feature, column)}; ${listed(known)}`,
      );
  if (!feature.enabled) return;
  for (const name of columnsOfFeature(feature)) {
    if (known.has(name)) throw recipeFault([...path, 'name'], 'unique', `there is a column ${name} already`);
    known.add(name);
  }
}

/** The first of the columns that a feature may be of. */
function listed(known: ReadonlySet<string>): string {
  const names = [...known].filter(name => !RESERVED.includes(name));
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : '';
  return `there are ${names.slice(0, LISTED).join(', ')}${more}`;
}
const LISTED = 10;

/** Where an expression names a column. */
function placeIn({ kind, params }: Feature, column: string): string {
  if (kind !== 'expression') return '';
  return `, at character ${parseExpression(params.expression).columns.get(column)! + 1}`;
}

/** Where a feature names a column. */
function fieldOf({ params }: Feature, column: string): string {
  const found = Object.entries(params).find(
    ([, value]) => value === column || (Array.isArray(value) && value.includes(column)),
  );
  return found?.[0] ?? 'expression';
}

function checkParams(recipe: Recipe, { kind, params }: Feature, path: Path): void {
  if (kind === 'fourier') checkFourier(recipe, params, path);
  if (kind === 'expression') checkExpression(params.expression, [...path, 'expression']);
}

function checkFourier(
  { step_s: step }: Recipe,
  { period_s: period, order }: FeatureKinds['fourier'],
  path: Path,
) {
  if (period / order < 2 * step)
    throw recipeFault([...path, 'order'], 'range', 'the shortest wave must be two steps long or longer');
}

function checkExpression(text: string, path: Path): void {
  try {
    parseExpression(text);
  } catch (error) {
    if (error instanceof ExpressionFault) throw recipeFault(path, 'expression', error.message);
    throw error;
  }
}
