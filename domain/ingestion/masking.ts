/** A config as JSON. */
export type Config = Readonly<Record<string, unknown>>;

export const MASK = '***';

/** Places of secrets in a config: `auth.token`, or `headers.*` for every member. */
export type SecretPlaces = readonly string[];

/** The config as it is shown and kept in the clear: with stars in place of secrets. */
export const masked = (config: Config, places: SecretPlaces): Config =>
  places.reduce((left, place) => replaced(left, place.split('.'), () => MASK), config);

/** What stars in a config that came back stand for: the secrets of before. */
export const unmasked = (config: Config, before: Config, places: SecretPlaces): Config =>
  places.reduce(
    (left, place) =>
      replaced(left, place.split('.'), (value, path) => (value === MASK ? at(before, path) : value)),
    config,
  );

/** A secret of before that a change keeps without giving it anew: the path to it; null: there is none. */
export function secretKept(given: Config, before: Config, places: SecretPlaces): string | null {
  const anew = new Set(secretsIn(given, places));
  return (
    secretsIn({ ...before, ...unmasked(given, before, places) }, places).find(at => !anew.has(at)) ?? null
  );
}

/** The paths to secrets that are no stars. */
function secretsIn(config: Config, places: SecretPlaces): string[] {
  const found: string[] = [];
  for (const place of places)
    replaced(config, place.split('.'), (value, path) => {
      if (value !== MASK && value !== '') found.push(path.join('.'));
      return value;
    });
  return found;
}

type Change = (value: unknown, path: readonly string[]) => unknown;

function replaced(
  config: Config,
  [step, ...rest]: readonly string[],
  change: Change,
  path: readonly string[] = [],
): Config {
  const names = step === '*' ? Object.keys(config) : [step!].filter(name => Object.hasOwn(config, name));
  const entries = names.flatMap((name): [string, unknown][] => {
    const value = config[name];
    const here = [...path, name];
    if (rest.length === 0) return value === null || value === undefined ? [] : [[name, change(value, here)]];
    return isConfig(value) ? [[name, replaced(value, rest, change, here)]] : [];
  });
  return { ...config, ...Object.fromEntries(entries) };
}

const isConfig = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const at = (config: Config, path: readonly string[]): unknown =>
  path.reduce<unknown>((here, name) => (isConfig(here) ? here[name] : undefined), config);
