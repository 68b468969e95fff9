import * as assert from 'uvu/assert';
import { replacing } from '../../commands/forecasts/replacing.js';
import { inPlaceOf } from '../../commands/in-place.js';
import type { KnownDeployment } from '../../commands/serving.js';
import type { GoalModel, ServedModel } from '../../domain/goals/model.js';
import { hosted } from '../domain/deployments-given.js';
import { suite } from '../suite.js';

/** Deployments and what took their place; `d` names one that is not there, `e` and `f` each other. */
const NEXT: Readonly<Record<string, string | null>> = {
  ...{ a: 'b', b: 'c', c: null, d: 'gone', e: 'f', f: 'e' },
};
const find = async (_: string, id: string) =>
  id in NEXT
    ? ({ _id: id, family: 'presage', slug: id, replacement: NEXT[id] } as unknown as KnownDeployment)
    : null;
const inPlace = inPlaceOf(find);
const replaced = replacing({
  ...{ inPlace, deployment: find },
  hosted: { find: async ({ family, slug }) => hosted({ family, slug, version: '2', name: `Model ${slug}` }) },
});
const served = (promotionId: string | null, slug = promotionId ?? 'nano', version = '1'): ServedModel => ({
  ...{ kind: 'served', promotionId, model: { family: 'presage', slug, version } },
});

suite('what forecasts in the place of a deployment', test => {
  test('its replacement, and what replaced that in turn; not for ever', async () => {
    assert.is(await inPlace('w', 'a'), 'c');
    assert.is(await inPlace('w', 'c'), 'c');
    assert.is(await inPlace('w', 'none'), 'none');
    assert.ok(['e', 'f'].includes(await inPlace('w', 'e')));
  });

  test('which is what the goal has then, and why', async () => {
    const { model, name, warnings } = await replaced('w', { model: served('a'), name: 'Old' });
    assert.equal([model, name], [served('c', 'c', '2'), 'Model c']);
    assert.equal(warnings, [
      {
        code: 'champion_replaced',
        message: 'The deployment a is retired; its replacement c forecasts',
      },
    ]);
  });

  test('nothing does where it serves, is no deployment, or what took its place is gone', async () => {
    const others: GoalModel[] = [served('c'), served(null), served('d'), { kind: 'local', method: 'theta' }];
    for (const model of others)
      assert.equal(await replaced('w', { model, name: 'Same' }), { model, name: 'Same', warnings: [] });
  });

  test('also among what a blend is made of', async () => {
    const members = (second: ServedModel) => ({
      kind: 'ensemble' as const,
      members: [
        { model: { kind: 'local', method: 'theta' } as const, weight: 0.25 },
        { model: second, weight: 0.75 },
      ],
    });
    const { model, name, warnings } = await replaced('w', { model: members(served('b')), name: 'mean of 2' });
    assert.equal([model, name, warnings.length], [members(served('c', 'c', '2')), 'mean of 2', 1]);
  });
});
