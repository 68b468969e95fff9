import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { TINY } from '../projections/models-world.js';
import {
  deprecated,
  imported,
  modelsApi,
  refusal,
  requested,
  unpromoted,
  type ModelsApi,
} from './models-world.js';

const NANO = { family: 'presage', slug: 'nano' };
const MINI = { family: 'presage', slug: 'mini' };

suite('the foundation models', test => {
  let world: ModelsApi;
  test.before.each(async () => {
    world = await modelsApi();
  });
  test.after.each(() => world.close());
  const slugs = async (query = ''): Promise<string[]> => {
    const { models, count } = await world.get(`/v1/models/foundation${query}`);
    assert.is(count, models.length);
    return models.map(({ slug }: { slug: string }) => slug);
  };

  test('a row says what the model is, can do, and may be used for', async () =>
    assert.equal(await world.get('/v1/models/foundation/presage/nano'), {
      blueprint_uid: 'presage__nano',
      name: 'Presage nano',
      description:
        'Small and quick: forecasts a series it has never seen in about a millisecond on a CPU. '
        + 'Pretrained on synthetic series only.',
      deprecated: false,
      family: 'presage',
      slug: 'nano',
      vendor: 'Presage',
      license: 'Apache-2.0',
      license_commercial_ok: true,
      params: '1.1M',
      params_count: 1120349,
      recommended: true,
      downloads: 0,
      supports: { tasks: ['forecast', 'anomaly', 'impute'], max_context: 2048, max_horizon: 720 },
      released_at: '2026-11-29T22:40:00.000Z',
      deprecated_at: null,
      replacement: null,
      paper_url: null,
      serving: { available: true, warm: false, cell: 'local' },
      quantiles: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9],
      covariates: 'none',
    }));

  test('the list has the recommended ones first, then the most deployed ones', async () => {
    await world.tell('foundation_model-extfm__other__tiny', imported(TINY));
    assert.equal(await slugs(), ['nano', 'tiny', 'mini']);
    await world.tell('deployment-w.1', requested(MINI, 'prm_1_a'), requested(MINI, 'prm_1_b'));
    await world.tell('deployment-w.2', requested(TINY, 'prm_2_a'));
    assert.equal(await slugs(), ['nano', 'mini', 'tiny']);
    await world.tell('deployment-w.1', unpromoted(MINI, 'prm_1_a'), unpromoted(MINI, 'prm_1_b'));
    assert.equal(await slugs(), ['nano', 'mini', 'tiny'], 'what was ever deployed counts');
    assert.is((await world.get('/v1/models/foundation/presage/mini')).downloads, 2);
  });

  test('the list is of a family, of a task, or of both', async () => {
    await world.tell('foundation_model-extfm__other__tiny', imported(TINY));
    assert.equal(await slugs('?family=other'), ['tiny']);
    assert.equal(await slugs('?task=impute'), ['nano', 'mini']);
    assert.equal(await slugs('?family=other&task=impute'), []);
    assert.equal(await slugs('?family=nobody'), []);
    const [status, code] = refusal(await world.ann.get('/v1/models/foundation?task=guess'));
    assert.equal([status, code], [422, 'validation_error']);
  });

  test('a deprecated one is listed when asked for, and always shown by its name', async () => {
    await world.tell('foundation_model-presage__mini', deprecated(MINI, NANO));
    assert.equal(await slugs(), ['nano']);
    assert.equal(await slugs('?include_deprecated=true'), ['nano', 'mini']);
    const mini = await world.get('/v1/models/foundation/presage/mini');
    assert.equal(
      [mini.deprecated, mini.deprecated_at, mini.replacement],
      [true, '2026-12-01T00:00:00.000Z', NANO],
    );
  });

  test('an external one says that it may not be used commercially, and by whom it was made', async () => {
    await world.tell('foundation_model-extfm__other__tiny', imported(TINY));
    const tiny = await world.get('/v1/models/foundation/other/tiny');
    assert.equal(
      [tiny.blueprint_uid, tiny.vendor, tiny.license, tiny.license_commercial_ok, tiny.params],
      ['extfm__other__tiny', 'Somebody', 'CC-BY-NC-4.0', false, '12'],
    );
    assert.equal(tiny.supports, { tasks: ['forecast'], max_context: 64, max_horizon: 16 });
  });

  test('what is not hosted is 404 and named', async () =>
    assert.equal(refusal(await world.ann.get('/v1/models/foundation/other/tiny')), [
      404,
      'model_not_available',
      'The model other/tiny is not available',
    ]));
});
