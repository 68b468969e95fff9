/** An address as it is compared: the same whatever the case of its letters. */
export const plainEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

export const sameEmail = (a: string, b: string): boolean => plainEmail(a) === plainEmail(b);

/**
 * Whether an address lies in one of these domains, each for itself and not for those below it; none named: in
 * any.
 */
export function inDomains(email: string | null, domains: readonly string[]): boolean {
  if (domains.length === 0) return true;
  if (email === null) return false;
  const plain = plainEmail(email);
  const at = plain.lastIndexOf('@');
  return at !== -1 && domains.some(allowed => plainEmail(allowed) === plain.slice(at + 1));
}
