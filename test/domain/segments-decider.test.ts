import * as assert from 'uvu/assert';
import type { SegmentCommand } from '../../domain/segments/commands.js';
import { segments } from '../../domain/segments/decider.js';
import type { SegmentFact } from '../../domain/segments/facts.js';
import { fold } from '../../domain/decider.js';
import { given, stored } from '../spec.js';
import { suite } from '../suite.js';
import {
  built,
  created,
  deleted,
  failed,
  id,
  input,
  lag,
  of,
  rebuildRequested,
  recipe,
  started,
  table,
} from './segments-given.js';

const statusOf = (...past: readonly SegmentFact[]): string =>
  fold(segments, segments.initialState, stored(...past)).status;
const edit = { ...of, seen: null };
const revise = (over: Parameters<typeof recipe>[0]): SegmentCommand => ({
  type: 'ReviseSegment',
  data: { ...edit, recipe: recipe(over) },
});
const rebuild: SegmentCommand = { type: 'RebuildSegment', data: of };
const finish = (build: number, attempt = 1): SegmentCommand => ({
  type: 'FinishBuild',
  data: { ...of, build, attempt, table: table() },
});

suite('segments, decided', test => {
  test('one is made once, and its first build is asked for with it', () => {
    const data = { ...of, name: 'Orders', description: '', recipe: recipe() };
    given(segments).when({ type: 'CreateSegment', data }).then(created());
    given(segments, created()).when({ type: 'CreateSegment', data }).thenNothing();
    assert.is(statusOf(created()), 'building');
  });

  test('a recipe that says the same makes no version, whatever the order of inputs and the ids', () => {
    const inputs = [input('a'), input('b')];
    const features = [lag('x', 'orders', 1)];
    const past = created({ inputs, features });
    const same = { inputs: [...inputs].reverse(), features: [lag('x', 'orders', 1, 'ftr_other')] };
    given(segments, past).when(revise(same)).thenNothing();
    const other = recipe({ inputs, features: [lag('x', 'orders', 2)] });
    given(segments, past)
      .when({ type: 'ReviseSegment', data: { ...edit, recipe: other } })
      .then({ type: 'SegmentRevised', data: { segmentId: id, version: 2, build: 2, recipe: other } });
  });

  test('another name makes no version', () => {
    given(segments, created())
      .when({ type: 'ReviseSegment', data: { ...edit, name: 'Sales', recipe: recipe() } })
      .then({ type: 'SegmentRenamed', data: { segmentId: id, name: 'Sales', description: '' } });
  });

  test('features and normalisation are changed by themselves, each change another version', () => {
    const features = [lag('x', 'orders', 1)];
    const revised = (over: Parameters<typeof recipe>[0]): SegmentFact => ({
      type: 'SegmentRevised',
      data: { segmentId: id, version: 2, build: 2, recipe: recipe(over) },
    });
    const normalization = { method: 'zscore', scope: 'global' } as const;
    given(segments, created())
      .when({ type: 'SetNormalization', data: { ...edit, normalization } })
      .then(revised({ normalization }));
    given(segments, created())
      .when({ type: 'AddFeature', data: { ...edit, feature: features[0]! } })
      .then(revised({ features }));
    given(segments, created({ features }))
      .when({ type: 'RemoveFeature', data: { ...edit, featureId: 'ftr_x' } })
      .then(revised({ features: [] }));
    given(segments, created({ features }))
      .when({ type: 'ReplaceFeature', data: { ...edit, feature: lag('y', 'orders', 3, 'ftr_x') } })
      .then(revised({ features: [lag('y', 'orders', 3, 'ftr_x')] }));
    given(segments, created({ features }))
      .when({ type: 'RemoveFeature', data: { ...edit, featureId: 'ftr_none' } })
      .thenRejected(/not found/);
  });

  test('a feature that another one is made of cannot go', () => {
    const features = [lag('x', 'orders', 1), lag('y', 'x', 1)];
    given(segments, created({ features }))
      .when({ type: 'RemoveFeature', data: { ...edit, featureId: 'ftr_x' } })
      .thenRejected(/not valid/);
  });

  test('only the build asked for last ends, and only by the attempt that began last', () => {
    const start = (build: number): SegmentCommand => ({ type: 'StartBuild', data: { ...of, build } });
    given(segments, created()).when(start(1)).then(started());
    given(segments, created(), started())
      .when(start(1))
      .then(started({ attempt: 2 }));
    given(segments, created()).when(start(2)).thenNothing();
    given(segments, created(), started()).when(finish(1)).then(built());
    given(segments, created(), started(), started({ attempt: 2 }))
      .when(finish(1, 1))
      .thenNothing();
    given(segments, created(), started(), built()).when(finish(1)).thenNothing();
    given(segments, created(), started(), deleted).when(finish(1)).thenNothing();
    assert.is(statusOf(created(), started(), built()), 'ready');
    assert.is(statusOf(created(), started(), failed), 'failed');
  });

  test('it is built again when somebody asks, unless it is being built', () => {
    given(segments, created(), started(), built()).when(rebuild).then(rebuildRequested(2));
    given(segments, created(), started(), failed).when(rebuild).then(rebuildRequested(2));
    given(segments, created()).when(rebuild).thenNothing();
    given(segments, created(), started(), built(), rebuildRequested(2)).when(rebuild).thenNothing();
  });

  test('what is meant for another revision is refused, what is gone is not found', () => {
    const seen = (revision: number): SegmentCommand => ({
      type: 'DeleteSegment',
      data: { ...of, seen: revision },
    });
    given(segments, created()).when(seen(1)).then(deleted);
    given(segments, created())
      .when(seen(2))
      .thenRejected(/version 1/);
    given(segments, created(), started(), built()).when(seen(1)).then(deleted);
    given(segments, created(), deleted)
      .when(seen(1))
      .thenRejected(/not found/);
    given(segments)
      .when(rebuild)
      .thenRejected(/not found/);
  });
});
