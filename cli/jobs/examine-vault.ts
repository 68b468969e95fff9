import { CannotOpen } from '../../adapters/sealing.js';
import { START } from '../../domain/fact.js';
import type { Platform } from '../../main.js';
import { ok, problem, type Finding } from './finding.js';

const PAGE_SIZE = 1_000;
const part = 'vault';

/**
 * Reads every fact, and opens what is personal in it: the log can be read, and the vault holds all its keys.
 */
export async function sealedFacts(
  { stores: { events, vault } }: Pick<Platform, 'stores'>,
  signal: AbortSignal,
): Promise<Finding[]> {
  let facts = 0;
  let claimed = false;
  for (let after = START; !signal.aborted; ) {
    const page = await events.page(after, PAGE_SIZE).catch((error: unknown) => {
      if (error instanceof CannotOpen) return error;
      throw error;
    });
    if (page instanceof CannotOpen) return [problem(part, page.message, 'do as it says')];
    if (page.length === 0) break;
    facts += page.length;
    claimed ||= page.some(({ type }) => type === 'EmailClaimed');
    after = page.at(-1)!.position;
    // Embedded stores answer at once: the requests of a running platform have their turn between two pages
    await new Promise(resolve => setImmediate(resolve));
  }
  if (claimed && !(await vault.everHad('emails')))
    return [
      problem(
        part,
        'it lacks the key that addresses are hashed with: addresses that are taken can be registered again',
        'put the newest copy of the vault back',
      ),
    ];
  return [ok(part, `it opens all that is personal in ${facts} facts`)];
}
