import * as assert from 'uvu/assert';
import type { TrainingQueued } from '../../domain/trainings/facts.js';
import { adapterOf } from '../../projections/trainings/adapters.js';
import { stored } from '../spec.js';
import { queuedData } from '../domain/trainings-given.js';
import { suite } from '../suite.js';

const model = { family: 'presage', slug: 'nano', version: '1' };
const depth = { task: 'forecast', intensity: 'adapt', lookback: 64, horizon: 12 } as const;
/** A blueprint of `usr_1` is trained by somebody. */
const queuedBy = (owner: string, visibility: 'public' | 'private'): TrainingQueued => ({
  type: 'TrainingQueued',
  data: {
    ...queuedData,
    owner,
    what: { kind: 'foundation', fineTune: { model, ...depth }, adapterId: 'adp_1' },
    blueprint: { ...queuedData.blueprint, visibility, kind: 'foundation', foundation: { model, ...depth } },
  },
});
const seen = (owner: string, visibility: 'public' | 'private') =>
  adapterOf(stored({ ...queuedBy(owner, visibility), at: 1 })[0]!)?.visibility;

suite('adapters', test => {
  test('are public where their owner made the blueprint public, and not where somebody else did', () => {
    assert.is(seen('usr_1', 'public'), 'public');
    assert.is(seen('usr_1', 'private'), 'private');
    assert.is(seen('usr_2', 'public'), 'private');
  });
});
