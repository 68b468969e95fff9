import type { CausalityNetwork, LagAnalysis, Relationship, RelationshipType } from './answer.js';

/** A value on the border of two words has the higher one. */
export const relationshipType = (strength: number): RelationshipType =>
  TYPES.find(([from]) => strength >= from)?.[1] ?? 'very_weak';

const TYPES: readonly (readonly [from: number, type: RelationshipType])[] = [
  [0.8, 'very_strong'],
  [0.6, 'strong'],
  [0.4, 'moderate'],
  [0.2, 'weak'],
];

/** The significant relationships as a network. */
export function networkOf(
  nodes: readonly string[],
  relationships: readonly Relationship[],
): CausalityNetwork {
  const place = new Map(nodes.map((key, i) => [key, i]));
  const count = nodes.length;
  const matrix = nodes.map(() => new Array<number>(count).fill(0));
  for (const { cause, effect, strength } of relationships)
    matrix[place.get(cause)!]![place.get(effect)!] = strength;
  const scores = nodes.map((key, i) => {
    const outgoing = sum(matrix[i]!);
    const incoming = sum(matrix.map(row => row[i]!));
    return [key, { outgoing, incoming, net: outgoing - incoming }] as const;
  });
  return {
    nodes,
    edges: relationships.map(({ cause, effect, strength, p_value, q_value, optimal_lag }) => ({
      from: cause,
      to: effect,
      strength,
      p_value,
      q_value,
      optimal_lag,
    })),
    adjacency_matrix: matrix,
    causality_scores: Object.fromEntries(scores),
    network_stats: {
      total_variables: count,
      significant_relationships: relationships.length,
      network_density: count > 1 ? relationships.length / (count * (count - 1)) : 0,
      avg_causality_strength: mean(relationships.map(r => r.strength)),
    },
  };
}

/** At which lags the significant relationships work. */
export function lagAnalysis(relationships: readonly Relationship[], maxLag: number): LagAnalysis {
  const lags = Array.from({ length: maxLag }, (_, i) => {
    const strengths = relationships.filter(r => r.optimal_lag === i + 1).map(r => r.strength);
    return [String(i + 1), { count: strengths.length, avg_strength: mean(strengths) }] as const;
  });
  return {
    lag_distribution: Object.fromEntries(lags.map(([lag, { count }]) => [lag, count])),
    avg_optimal_lag: mean(relationships.map(r => r.optimal_lag)),
    lag_effectiveness: Object.fromEntries(lags),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, x) => total + x, 0);
const mean = (values: readonly number[]): number => (values.length === 0 ? 0 : sum(values) / values.length);
