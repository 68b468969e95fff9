import * as assert from 'uvu/assert';
import { Rejected } from '../../../domain/rejected.js';
import { checkSources } from '../../../domain/segments/check-sources.js';
import { checkRecipe } from '../../../domain/segments/check.js';
import { previewTable } from '../../../domain/segments/preview.js';
import type { Recipe } from '../../../domain/segments/recipe.js';
import { suite } from '../../suite.js';
import { feature, input, pointsOf, recipeOf, sourcesOf } from './given.js';

type Detail = { readonly loc: readonly (string | number)[]; readonly msg: string };

/** Where a recipe is wrong, and how. */
function wrong(error: unknown): string {
  assert.instance(error, Rejected);
  const [{ loc, msg }] = (error as Rejected).details['detail'] as [Detail];
  assert.equal([(error as Rejected).kind, (error as Rejected).code], ['unprocessable', 'validation_error']);
  return `${loc.join('.')}: ${msg}`;
}
function fault(parts: Partial<Recipe>): string {
  try {
    checkRecipe(recipeOf(parts));
  } catch (error) {
    return wrong(error);
  }
  throw new Error('nothing is wrong');
}

suite('recipes are looked through', test => {
  const stream = { stream: 'news', encoding: 'count', half_life_s: 1 } as const;
  const lag = (name: string, column: string) => feature(name, 'lag', { column, steps: 1 });

  test('what is right passes', () =>
    checkRecipe(
      recipeOf({
        inputs: [input('x')],
        event_streams: [stream, { ...stream, encoding: 'decay' }],
        features: [
          lag('a', 'news:count'),
          lag('b', 'a'),
          feature('w', 'fourier', { period_s: 172_800, order: 1 }),
          lag('c', 'w_sin1'),
        ],
      }),
    ));

  test('zone, window and fill', () => {
    assert.is(fault({ timezone: 'Mars/Olympus' }), 'body.timezone: there is no zone Mars/Olympus');
    assert.is(fault({ from: 5, to: 5 }), 'body.to: to must be after from');
    const seasonal = { method: 'seasonal', max_gap_steps: 3 } as const;
    assert.match(fault({ fill: seasonal, step_s: 5 * 3_600 }), 'body.fill.method');
    for (const step_s of [60, 3_600, 86_400, 7 * 86_400, 30 * 86_400])
      checkRecipe(recipeOf({ fill: seasonal, step_s }));
  });

  test('names of columns are unique', () => {
    assert.is(fault({ inputs: [input('x'), input('x')] }), 'body.inputs.1.key: there is a column x already');
    assert.is(fault({ inputs: [input('y')] }), 'body.inputs.0.key: there is a column y already');
    assert.is(fault({ target: 'ts' }), 'body.target: there is a column ts already');
    assert.is(
      fault({ event_streams: [stream, stream] }),
      'body.event_streams.1: there is a column news:count already',
    );
    assert.is(fault({ features: [lag('y', 'y')] }), 'body.features.0.name: there is a column y already');
  });

  test('features are made of columns before them', () => {
    assert.is(
      fault({ features: [lag('a', 'b'), lag('b', 'y')] }),
      'body.features.0.params.column: there is no column b before this feature; there are y',
    );
    assert.match(
      fault({ features: [feature('a', 'ratio', { numerator: 'y', denominator: 'ts' })] }),
      'body.features.0.params.denominator',
    );
    assert.match(
      fault({ features: [feature('a', 'interaction', { columns: ['y', 'q'] })] }),
      'body.features.0.params.columns',
    );
    assert.match(
      fault({ features: [feature('a', 'expression', { expression: 'y + q' })] }),
      'params.expression: there is no column q before this feature, at character 5; there are y',
    );
    assert.match(
      fault({ features: [{ ...lag('a', 'y'), enabled: false }, lag('b', 'a')] }),
      'body.features.1.params.column',
    );
    assert.match(
      fault({ features: [feature('a', 'expression', { expression: 'y +' })] }),
      'found the end at character 4',
    );
    assert.match(
      fault({ features: [feature('a', 'fourier', { period_s: 86_400, order: 1 })] }),
      'body.features.0.params.order',
    );
  });

  test('responses need an effect that is validated', async () => {
    const response = { stepS: 60, offsets: [0], effects: [1] };
    const sources = sourcesOf({
      signals: { y: pointsOf([1]), z__a: pointsOf([1]), z__b: pointsOf([1]) },
      responses: [
        { stream: 'news', target: 'y', response },
        { stream: 'news', target: 'z__b', response },
      ],
    });
    const missing = (parts: Partial<Recipe>): Promise<string> =>
      checkSources(recipeOf(parts), sources).then(() => 'nothing', wrong);
    const [curve, other] = ['news', 'wars'].map(name => ({
      event_streams: [{ ...stream, stream: name, encoding: 'response_curve' as const }],
    }));
    const answer = (name: string) => ({ features: [feature('a', 'event_response', { stream: name })] });
    assert.is(await missing({ ...curve, ...answer('news') }), 'nothing');
    assert.match(await missing(other!), 'body.event_streams.0.encoding: no effect of wars on y');
    assert.match(await missing(answer('wars')), 'body.features.0.params.stream: no effect of wars on y');
    const off = answer('wars').features.map(each => ({ ...each, enabled: false }));
    assert.is(await missing({ features: off }), 'nothing', 'what is not made needs nothing');
    const entities = { target: 'z', entity_mode: 'per_entity' } as const;
    assert.is(await missing({ ...entities, ...curve }), 'nothing', 'one of them has it');
    assert.match(await missing({ ...entities, ...other }), 'no effect of wars on z__<entity>');
  });

  test('what they name must be there', async () => {
    const sources = sourcesOf({
      signals: { y: pointsOf([1]), x__a: pointsOf([1]), z__b: pointsOf([1]) },
      holidays: { DE: [] },
    });
    const missing = (recipe: Recipe): Promise<string> =>
      checkSources(recipe, sources).then(() => 'nothing', wrong);
    const country = (name: string) => [feature('free', 'holiday', { country: name })];
    assert.is(await missing(recipeOf({ features: country('DE') })), 'nothing');
    assert.is(await missing(recipeOf({ target: 'q' })), 'body.target: there is no signal q');
    assert.is(await missing(recipeOf({ inputs: [input('x')] })), 'body.inputs.0.key: there is no signal x');
    assert.match(
      await missing(recipeOf({ features: country('XX') })),
      'body.features.0.params.country: no country XX',
    );
    const byEntity = recipeOf({ target: 'x', entity_mode: 'per_entity', inputs: [input('y'), input('z')] });
    assert.is(await missing(byEntity), 'nothing');
    assert.is(await missing({ ...byEntity, target: 'y' }), 'body.target: there is no signal y__<entity>');
  });
});

suite('previews', test => {
  const count = 400;
  const y = pointsOf(Array.from({ length: count }, (_, i) => (i === 3 ? null : i)));
  const recipe = recipeOf({ features: [feature('before', 'lag', { column: 'y', steps: 1 })] });

  test('show the first and the last rows and a picture of each column', async () => {
    const { rows, plot, table } = await previewTable(recipe, sourcesOf({ signals: { y } }));
    assert.is(rows.length, 100);
    assert.equal(rows[0], { ts: '2024-01-01T00:00:00.000Z', y: 0, before: null });
    assert.equal(rows[3]!['y'], null);
    assert.equal([rows[49]!['y'], rows[50]!['y'], rows[99]!['y']], [49, 350, 399]);
    assert.is(plot['y']!.ts.length, 200);
    assert.equal(plot['y']!.values.slice(0, 3), [0.5, 2, 4.5]);
    assert.is(plot['y']!.ts[1], '2024-01-03T00:00:00.000Z');
    assert.equal([table.row_count, table.table_hash, table.quality.gaps], [400, null, 1]);
  });

  test('show all rows of a short table, each once', async () => {
    for (const length of [2, 49, 50, 51, 99, 100, 101]) {
      const { rows } = await previewTable(recipe, sourcesOf({ signals: { y: y.slice(4, 4 + length) } }));
      assert.is(rows.length, Math.min(100, length));
      assert.is(new Set(rows.map(({ ts }) => ts)).size, rows.length);
    }
  });
});
