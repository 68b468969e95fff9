import * as assert from 'uvu/assert';
import {
  centroidClassifier,
  classify,
  ridgeClassifier,
  type Example,
} from '../../../../domain/maths/forecasting/classify.js';
import { randomOf } from '../../../random.js';
import { suite } from '../../../suite.js';
import { normals } from './toys.js';

/** Embeddings of which two of twenty numbers tell the label, in units of their own. */
const examples = (count: number, seed: number): Example[] => {
  const next = normals(seed);
  const centres = { calm: [0, 0], rising: [3, 0], wild: [0, 3] };
  return Array.from({ length: count }, (_, i) => {
    const label = (['calm', 'rising', 'wild'] as const)[i % 3]!;
    return {
      label,
      embedding: Float32Array.from(
        { length: 20 },
        (_, j) => ((centres[label][j] ?? 0) + next()) * (j + 1) * 100 + 7,
      ),
    };
  });
};

const accuracy = (classifier: Parameters<typeof classify>[0], of: readonly Example[]): number =>
  of.filter(({ embedding, label }) => classify(classifier, embedding).label === label).length / of.length;

suite('classification', test => {
  const learnt = examples(150, 1);
  const unseen = examples(600, 2);

  test('both kinds tell labels that were never shown about as well as can be', () => {
    // The best there is, knowing the centres, tells 88% right
    const centroid = accuracy(centroidClassifier(learnt), unseen);
    const ridge = accuracy(ridgeClassifier(learnt), unseen);
    assert.ok(centroid > 0.8 && centroid < 0.95, `${centroid}`);
    assert.ok(ridge > 0.8 && ridge < 0.95, `${ridge}`);
  });

  test('the accuracy that ridge expects is what comes, and chance where there is nothing to learn', () => {
    const { accuracy: expected, ...classifier } = ridgeClassifier(learnt);
    assert.ok(Math.abs(expected - accuracy(classifier, unseen)) < 0.07, `${expected}`);
    const random = randomOf(4);
    const blind = learnt.map(example => ({ ...example, label: random.pick(['a', 'b', 'c']) }));
    assert.ok(ridgeClassifier(blind).accuracy < 0.5);
  });

  test('one example of each label is enough for centroids: the nearest one', () => {
    const classifier = centroidClassifier([
      { label: 'b', embedding: Float32Array.of(0, 1) },
      { label: 'a', embedding: Float32Array.of(4, 1) },
    ]);
    assert.equal(classifier.labels, ['a', 'b']);
    assert.is(classify(classifier, Float32Array.of(1.9, 1)).label, 'b');
    assert.is(classify(classifier, Float32Array.of(2.1, 9)).label, 'a');
  });

  test('a classifier is plain data', () => {
    const classifier = ridgeClassifier(learnt);
    const copy = structuredClone(classifier);
    assert.equal(classify(copy, unseen[0]!.embedding), classify(classifier, unseen[0]!.embedding));
  });

  test('an embedding of another model, of another length, is refused', () =>
    assert.throws(
      () => classify(centroidClassifier(learnt), new Float32Array(19)),
      /has 20 numbers here, not 19/,
    ));

  test('one label is refused', () => {
    for (const make of [centroidClassifier, ridgeClassifier])
      assert.throws(() => make([unseen[0]!, unseen[3]!]), /two labels/);
  });
});
