import * as assert from 'uvu/assert';
import { ALGORITHM_NAMES, algorithmOf, completed } from '../../domain/models/algorithms.js';
import { fineTuneOf, type FineTuneWanted } from '../../domain/models/fine-tunes.js';
import type { HostedModel } from '../../domain/models/hosted.js';
import { ratings } from '../../domain/models/ratings.js';
import type { Rejected } from '../../domain/rejected.js';
import { TINY } from '../projections/models-world.js';
import { given } from '../spec.js';
import { suite } from '../suite.js';

const model = (changes: Partial<HostedModel>): HostedModel => ({
  ...TINY,
  ...{ version: 'abc', recommended: false, listedAt: 0, deprecatedAt: null, replacement: null },
  ...changes,
});
const own = { family: 'presage', maxContext: 2048, maxHorizon: 720 } as const;
const nano = model({
  ...own,
  slug: 'nano',
  parameters: 10,
  recommended: true,
  tasks: ['forecast', 'impute'],
});
const mini = model({ ...own, slug: 'mini', parameters: 30, tasks: ['forecast', 'embed'] });
const micro = model({ ...own, slug: 'micro', parameters: 5, tasks: ['forecast', 'embed'] });
const hosted = [mini, nano, micro, model({})];
const wanted = (changes: Partial<FineTuneWanted> = {}): FineTuneWanted => ({
  ...{ family: 'presage', slug: null, task: 'forecast', intensity: 'adapt', lookback: null, horizon: null },
  ...changes,
});
const made = (changes: Partial<FineTuneWanted>, models = hosted) => fineTuneOf(wanted(changes), models);
const refused = (changes: Partial<FineTuneWanted>, code: string, message: RegExp, models = hosted): void => {
  try {
    made(changes, models);
  } catch (error) {
    const rejected = error as Rejected;
    assert.is(rejected.code, code);
    assert.match(rejected.message, message);
    return;
  }
  assert.unreachable(`${code} was expected`);
};

suite('naming a fine-tune', test => {
  test('the slug follows from the task: the recommended one, else the smallest', () => {
    const slugFor = (task: FineTuneWanted['task'], models = hosted) => made({ task }, models).model.slug;
    assert.is(slugFor('forecast'), 'nano');
    assert.is(slugFor('embed'), 'micro');
    assert.is(slugFor('forecast', [mini, { ...nano, deprecatedAt: 1 }]), 'mini', 'none that is deprecated');
  });
  test('lookback and horizon are the usual ones, or the cap where that is less', () => {
    const sizes = ({ lookback, horizon }: { lookback: number; horizon: number }) => [lookback, horizon];
    assert.equal(sizes(made({})), [2048, 128]);
    assert.equal(sizes(made({ family: 'other', slug: 'tiny' })), [64, 16]);
    assert.equal(sizes(made({ lookback: 1, horizon: 720 })), [1, 720]);
  });
  test('it keeps which file of the model was meant', () =>
    assert.equal(made({ slug: 'mini' }).model, { family: 'presage', slug: 'mini', version: 'abc' }));

  test('more than the cap is refused, naming field, family and cap', () => {
    refused({ lookback: 2049 }, 'lookback_above_cap', /^lookback: 2049 .*family presage .*2048$/);
    refused({ horizon: 721 }, 'horizon_above_cap', /^horizon: 721 .*family presage .*720$/);
    refused(
      { family: 'other', slug: 'tiny', horizon: 17 },
      'horizon_above_cap',
      /family other \(other\/tiny\), 16$/,
    );
  });
  test('a family, a slug or a task that there is not is refused by name', () => {
    refused({ family: 'nobody' }, 'family_unavailable', /^family: 'nobody' .*presage, other/);
    refused({ slug: 'huge' }, 'model_not_available', /presage\/huge is not available/);
    refused({ task: 'classify' }, 'invalid_parameter', /^task: presage does not do 'classify'/);
    refused({ slug: 'nano', task: 'embed' }, 'invalid_parameter', /presage\/nano does not do 'embed'/);
  });
  test('of an external family the slug must be said', () =>
    refused({ family: 'other' }, 'validation_error', /1 field/));
  test('a deprecated model is refused, and what to take instead is said', () => {
    const retired = { ...mini, deprecatedAt: 1, replacement: { family: 'presage', slug: 'nano' } };
    refused({ slug: 'mini' }, 'MODEL_DEPRECATED', /mini is deprecated .*take presage\/nano$/, [retired]);
  });
});

suite('hyperparameters', test => {
  test('those that are not given have the defaults of the schema', () => {
    assert.equal(completed('theta', {}), { period: null });
    assert.equal(completed('theta', { period: 12 }), { period: 12 });
    assert.equal(completed('naive', {}), {});
  });
  test('every one of every algorithm has a default and says what it is', () => {
    for (const name of ALGORITHM_NAMES)
      for (const property of Object.values(algorithmOf(name).hyperparameters.properties)) {
        assert.ok('default' in property);
        assert.type(property['description'], 'string');
      }
  });
});

suite('ratings', test => {
  const rate = (stars: number) =>
    ({ type: 'RateBlueprint', data: { uid: 'mdl_1', by: 'usr_1', stars } }) as const;
  const rated = (stars: number, before: number | null) =>
    ({ type: 'BlueprintRated', data: { uid: 'mdl_1', by: 'usr_1', stars, before } }) as const;
  test('the first one', () => given(ratings).when(rate(4)).then(rated(4, null)));
  test('another opinion says what it was before', () =>
    given(ratings, rated(4, null)).when(rate(2)).then(rated(2, 4)));
  test('the same opinion is none', () =>
    given(ratings, rated(4, null), rated(2, 4)).when(rate(2)).thenNothing());
});
