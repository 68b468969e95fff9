import type { KeptRecipe } from './facts.js';

/** Whether two recipes say the same: in whatever order inputs and streams, and ids of features, stand. */
export const isSameRecipe = (a: KeptRecipe, b: KeptRecipe): boolean => inOrder(a) === inOrder(b);

const inOrder = ({ inputs, event_streams, features, ...rest }: KeptRecipe): string =>
  text({
    ...rest,
    inputs: inputs.map(text).sort(),
    event_streams: event_streams.map(text).sort(),
    features: features.map(({ feature_id: _, ...feature }) => feature),
  });

/** JSON, the members of objects in order of their names. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
