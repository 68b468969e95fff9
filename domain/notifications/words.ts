/** A member of a notification's data as words: what is absent reads as `otherwise`. */
export function words(data: Readonly<Record<string, unknown>>, name: string, otherwise = 'unknown'): string {
  const value = data[name];
  if (typeof value === 'string' && value !== '') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : otherwise;
}

/** The path of a thing by its id in a member of the data; null where there is none. */
export const pathOf =
  (before: string, name: string, after = '') =>
  (data: Readonly<Record<string, unknown>>): string | null => {
    const id = data[name];
    return typeof id === 'string' && id !== '' ? `${before}${encodeURIComponent(id)}${after}` : null;
  };

/** A number as it is read: at most so many digits behind the point. */
export function figure(data: Readonly<Record<string, unknown>>, name: string): string {
  const value = data[name];
  return typeof value === 'number' ? String(Number(value.toPrecision(4))) : words(data, name, 'none');
}
