import { dot, linearAt, ridge, standardisedFeatures, type Linear } from './ridge.js';

export type Example = { readonly embedding: Float32Array; readonly label: string };

/** Plain data: one linear function of the embedding for each label. */
export type Classifier = Linear & { readonly labels: readonly string[] };

/**
 * `scores` in the order of the classifier's labels; the label is that of the highest (of the first of
 * several).
 */
export type Classified = { readonly label: string; readonly scores: readonly number[] };

/**
 * The nearest mean of a label, in the distance of standardised features: good with few examples, from one for
 * each label on. As a linear function: |z - c|^2 is least where z c - |c|^2 / 2 is greatest.
 * @throws RangeError without two labels
 */
export function centroidClassifier(examples: readonly Example[]): Classifier {
  const labels = labelsOf(examples);
  const { means, scales, z } = standardisedFeatures(rowsOf(examples));
  const centroids = labels.map(label => meanOf(z.filter((_, i) => examples[i]!.label === label)));
  const weights = centroids.map(c => c.map((x, j) => x / scales[j]!));
  return { labels, weights, intercepts: centroids.map((c, k) => -dot(c, c) / 2 - dot(weights[k]!, means)) };
}

/**
 * Ridge regression of each label's indicator (1 for its examples, else 0): better than centroids from a few
 * dozen examples on. `accuracy`: the share of examples that are told right by a fit without them.
 * @throws RangeError without two labels
 */
export function ridgeClassifier(examples: readonly Example[]): Classifier & { readonly accuracy: number } {
  const labels = labelsOf(examples);
  const indicators = labels.map(label =>
    Float64Array.from(examples, example => Number(example.label === label)),
  );
  const { weights, intercepts, leftOut } = ridge(rowsOf(examples), indicators);
  const right = examples.filter(
    ({ label }, i) => labels[highest(leftOut.map(column => column[i]!))] === label,
  );
  return { labels, weights, intercepts, accuracy: right.length / examples.length };
}

/** @throws RangeError for an embedding of another length than the examples' */
export function classify(classifier: Classifier, embedding: Float32Array): Classified {
  const { length } = classifier.weights[0]!;
  if (embedding.length !== length)
    throw new RangeError(`an embedding has ${length} numbers here, not ${embedding.length}`);
  const scores = linearAt(classifier, embedding);
  return { label: classifier.labels[highest(scores)]!, scores };
}

const highest = (scores: readonly number[]): number => scores.indexOf(Math.max(...scores));

const rowsOf = (examples: readonly Example[]): Float64Array[] =>
  examples.map(({ embedding }) => Float64Array.from(embedding));

function labelsOf(examples: readonly Example[]): string[] {
  const labels = [...new Set(examples.map(({ label }) => label))].sort();
  if (labels.length < 2) throw new RangeError('a classifier needs examples of two labels or more');
  return labels;
}

function meanOf(rows: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(rows[0]!.length);
  for (const row of rows)
    row.forEach((x, j) => {
      mean[j]! += x / rows.length;
    });
  return mean;
}
