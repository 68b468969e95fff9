import { firstFrom, type Series } from '../maths/series/series.js';
import { signalOf, type Layout } from './layout.js';
import { firstValue, type Ground } from './parts.js';
import type { KeptCheckpoint, Sources } from './ports.js';
import { digestOfDays, tell, type NewDigest, type ReadingReceipt, type Receipt } from './receipts.js';
import { digestOfResponse } from './responses.js';

/**
 * The latest of a table's checkpoints (in order) before which everything is as it was: what it was built of
 * is read again and held to the receipts. Null: there is none.
 */
export async function latestHolding(
  checkpoints: readonly KeptCheckpoint[],
  ground: Ground,
  layout: Layout,
  newDigest: NewDigest,
): Promise<KeptCheckpoint | null> {
  let most = await new Frame(ground, layout, newDigest).holding(checkpoints);
  for (const parts of readingsOf(checkpoints.slice(0, most))) {
    const own = parts.filter(({ checkpoint }) => checkpoint < most);
    if (own.length > 0) most = Math.min(most, await agreeing(own, ground.sources, newDigest));
  }
  return checkpoints[most - 1] ?? null;
}

/** Whether entities, their signals and all that is no reading are as they were. */
class Frame {
  /** Entities that receipts told of. */
  #entities = 0;

  constructor(
    readonly ground: Ground,
    readonly layout: Layout,
    readonly newDigest: NewDigest,
  ) {}

  /** How many of the checkpoints hold. */
  async holding(checkpoints: readonly KeptCheckpoint[]): Promise<number> {
    for (const [i, { readTo, receipts }] of checkpoints.entries()) {
      for (const receipt of receipts) if (!(await this.#isSo(receipt))) return i;
      // What was read beyond the rows of then must lie in the past of now
      if (readTo > this.#rows!.end) return i;
    }
    return checkpoints.length;
  }

  get #rows() {
    return this.layout.entities[this.#entities - 1];
  }

  async #isSo(receipt: Receipt): Promise<boolean> {
    const { recipe, sources } = this.ground;
    switch (receipt.what) {
      case 'entity': {
        this.#entities++;
        return this.#rows?.entity === receipt.entity && this.#rows.start === receipt.start;
      }
      case 'rows':
        return this.#rows!.past === receipt.past && this.#rows!.ahead === receipt.ahead;
      case 'signal':
        return (await signalOf(receipt.input, receipt.entity, sources)) === receipt.signal;
      case 'static': {
        const input = recipe.inputs.find(({ key }) => key === receipt.input)!;
        const value = await firstValue(input, receipt.entity, this.ground);
        return receipt.value === null ? Number.isNaN(value) : value === receipt.value;
      }
      case 'response': {
        const used = this.ground.responses.of(receipt.stream, receipt.entity);
        return digestOfResponse(used, this.newDigest) === receipt.digest;
      }
      case 'holidays': {
        const days = await sources.holidays(receipt.country, receipt.from, receipt.to);
        return days !== null && digestOfDays(days, this.newDigest) === receipt.digest;
      }
      case 'reading':
        return true;
    }
  }
}

/** A receipt, and the number of the first checkpoint that stands on it. */
type Part = ReadingReceipt & { readonly checkpoint: number };

function readingsOf(checkpoints: readonly KeptCheckpoint[]): Iterable<readonly Part[]> {
  const readings = new Map<string, Part[]>();
  checkpoints.forEach(({ receipts }, checkpoint) => {
    for (const receipt of receipts) {
      if (receipt.what !== 'reading') continue;
      const parts = readings.get(receipt.reading) ?? [];
      readings.set(receipt.reading, parts);
      parts.push({ ...receipt, checkpoint });
    }
  });
  return readings.values();
}

/** Reads again what receipts were given for; answers how many checkpoints agree with it. */
async function agreeing(parts: readonly Part[], sources: Sources, newDigest: NewDigest): Promise<number> {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  let at = 0;
  let digest = newDigest();
  const agrees = (): boolean => {
    const isSo = digest.digest() === parts[at]!.digest;
    digest = newDigest();
    return isSo;
  };
  for await (const page of pagesOf(first, last.to, sources))
    for (let i = 0; i < page.times.length; ) {
      const { of, to } = parts[at]!;
      const end = firstFrom(page.times, to);
      tell(digest, of, page, i, end);
      i = Math.max(i, end);
      if (i === page.times.length) break;
      if (!agrees()) return parts[at]!.checkpoint;
      at++;
    }
  for (; at < parts.length; at++) if (!agrees()) return parts[at]!.checkpoint;
  return Infinity;
}

async function* pagesOf(
  { of, key, from }: ReadingReceipt,
  to: number,
  sources: Sources,
): AsyncGenerator<Series> {
  if (from >= to) return;
  if (of === 'points') yield* sources.points(key, from, to);
  else yield* sources.events(key, from, to, of === 'times' ? 'value' : of);
}
