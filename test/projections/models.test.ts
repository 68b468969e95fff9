import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { defaultFamilyDir } from '../../adapters/forecaster/files.js';
import { firstPartyModels } from '../../adapters/models/first-party.js';
import { blueprintUidOf, type HostedModels, type ModelRef } from '../../domain/models/hosted.js';
import type { BlueprintDoc } from '../../projections/models/documents.js';
import { suite } from '../suite.js';
import { modelsAfter, TINY } from './models-world.js';

const NANO: ModelRef = { family: 'presage', slug: 'nano' };
const MINI: ModelRef = { family: 'presage', slug: 'mini' };
const imported = {
  type: 'FoundationModelImported',
  data: { blueprintUid: 'extfm__other__tiny', listing: TINY },
  at: 5,
};
const about = (what: string, ref: ModelRef, more: object = {}, at = 9) => ({
  type: `FoundationModel${what}`,
  data: { blueprintUid: blueprintUidOf(ref), ...more },
  at,
});
const namesIn = async (hosted: HostedModels): Promise<string[]> => (await hosted.all()).map(blueprintUidOf);

suite('the models hosted here', test => {
  test('the first-party ones are what their manifests say, and their files are these', async () => {
    const { hosted } = await modelsAfter();
    assert.equal(await namesIn(hosted), ['presage__mini', 'presage__nano']);
    for (const model of await hosted.all()) {
      const bytes = readFileSync(join(defaultFamilyDir(), `${model.slug}.onnx`));
      assert.is(model.sha256, createHash('sha256').update(bytes).digest('hex'));
      assert.is(model.version, model.sha256.slice(0, 12));
      assert.is(model.bytes, bytes.length);
      assert.ok(model.parameters > 1_000_000 && model.maxContext === 2048 && model.maxHorizon === 720);
      assert.ok(!Number.isNaN(model.releasedAt) && model.benchmarks !== null);
    }
    assert.equal(await hosted.find(NANO), firstPartyModels()[1]);
    assert.is((await hosted.find(NANO))?.recommended, true);
    assert.is((await hosted.byUid('presage__mini'))?.recommended, false);
  });

  test('deployments of what was trained count to its blueprint, whoever made that', async () => {
    const trained = (n: number) => ({ family: n === 3 ? 'adapter' : 'trained', slug: `trn_${n}` });
    const deployed = (n: number, blueprintUid: string) => ({
      type: 'DeploymentRequested',
      data: {
        promotionId: `prm_${n}`,
        deploymentType: 'trained',
        model: trained(n),
        origin: { blueprintUid },
      },
    });
    const left = (n: number, more: object) => ({
      type: 'DeploymentUnpromoted',
      data: { promotionId: `prm_${n}`, model: trained(n), ...more },
    });
    const made = { type: 'BlueprintCreated', data: { uid: 'mdl_1', owner: 'usr_1', kind: 'custom' } };
    const { read } = await modelsAfter(
      ...[made, deployed(1, 'mdl_1'), deployed(2, 'mdl_1'), deployed(3, 'presage__nano')],
      ...[deployed(4, 'blueprint__ets'), left(2, { blueprintUid: 'mdl_1' }), left(4, {})],
    );
    const uses = async (collection: string, id: string) => {
      const { in_use_by, downloads } = (await read.get<BlueprintDoc>(collection, id))!;
      return [in_use_by, downloads];
    };
    assert.equal(await uses('blueprints', 'mdl_1'), [1, 2]);
    assert.equal(await uses('foundation_models', 'presage__nano'), [1, 1]);
    // Facts that do not say of which blueprint it was change nothing
    assert.equal(await uses('foundation_models', 'blueprint__ets'), [1, 1]);
    assert.is(await read.get('foundation_models', 'extfm__trained__trn_1'), null);
  });

  test('what is not hosted is null, whatever its id looks like', async () => {
    const { hosted } = await modelsAfter();
    assert.is(await hosted.find({ family: 'other', slug: 'tiny' }), null);
    assert.is(await hosted.byUid('presage__huge'), null);
    assert.is(await hosted.byUid('constructor'), null);
  });

  test('one that was imported is there from then on', async () => {
    const { hosted } = await modelsAfter(imported);
    assert.equal(await namesIn(hosted), ['extfm__other__tiny', 'presage__mini', 'presage__nano']);
    assert.equal(await hosted.find(TINY), {
      ...TINY,
      version: 'abababababab',
      recommended: false,
      listedAt: 5,
      deprecatedAt: null,
      replacement: null,
    });
  });

  test('a deprecated one stays, says since when and what to take instead, and can come back', async () => {
    const deprecated = about('Deprecated', MINI, { replacement: NANO });
    const after = async (...facts: object[]) => {
      const { hosted } = await modelsAfter(imported, deprecated, ...(facts as (typeof imported)[]));
      const { deprecatedAt, replacement } = (await hosted.find(MINI))!;
      return { deprecatedAt, replacement };
    };
    assert.equal(await after(), { deprecatedAt: 9, replacement: NANO });
    const other = { family: 'other', slug: 'tiny' };
    assert.equal(await after(about('Replaced', MINI, { replacement: other }, 10)), {
      deprecatedAt: 9,
      replacement: other,
    });
    assert.equal(await after(about('Reinstated', MINI, {}, 10)), { deprecatedAt: null, replacement: null });
  });
});
