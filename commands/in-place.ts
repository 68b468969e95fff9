import type { InPlace } from '../domain/deployments/served.js';

type Find = (
  workspace: string,
  promotionId: string,
) => Promise<{ readonly replacement: string | null } | null>;

/** So many replacements, one of the other, are followed. */
const MOST_FOLLOWED = 100;

/** What serves in the place of retired deployments, see `InPlace`. `find`: null where there is none. */
export const inPlaceOf =
  (find: Find): InPlace =>
  async (workspace, promotionId) => {
    let serves = promotionId;
    for (let followed = 0; followed < MOST_FOLLOWED; followed++) {
      const next = (await find(workspace, serves))?.replacement ?? null;
      if (next === null) break;
      serves = next;
    }
    return serves;
  };
