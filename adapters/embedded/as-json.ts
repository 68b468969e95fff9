/**
 * Whether JSON text gives back the very same value: then what was written need not be read from its text
 * again. False where that is not sure.
 */
export function isAsJson(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object':
      return value === null || (Array.isArray(value) ? isPlainList(value) : isPlainObject(value));
    default:
      return false;
  }
}

// Indexed: an iterator would cost a long column more than all else here
function isPlainList(list: readonly unknown[]): boolean {
  for (let i = 0; i < list.length; i++) if (!isAsJson(list[i])) return false;
  return Object.getPrototypeOf(list) === Array.prototype;
}

function isPlainObject(value: object): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  for (const name in value) if (!isAsJson((value as Record<string, unknown>)[name])) return false;
  return true;
}
