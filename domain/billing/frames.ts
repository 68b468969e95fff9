import type { Fact } from '../fact.js';
import {
  inWorkspace,
  type Channel,
  type FrameData,
  type Frames,
  type Gathered,
  type Tells,
} from '../realtime/frame.js';
import { creditsText } from './amounts.js';
import type { Millicredits } from './credits.js';
import type { CreditsAdjusted, CreditsCharged, CreditsGranted } from './facts.js';

type Changing = CreditsCharged | CreditsGranted | CreditsAdjusted;
type Look = {
  /** What an organization has; null: nothing is known of it. */
  readonly balanceOf: (organizationId: string) => Promise<Millicredits | null>;
  readonly workspacesOf: (organizationId: string) => Promise<readonly string[]>;
};

const reasons = { CreditsCharged: 'charge', CreditsGranted: 'grant', CreditsAdjusted: 'adjustment' } as const;

/** The last of what came within a second: it alone still holds. */
function latest(): Gathered {
  let last: FrameData | null = null;
  return {
    add(data: FrameData) {
      last = data;
    },
    frames: () => (last ? [last] : []),
  };
}

/**
 * What is told of credits, at most once a second in each workspace: a charge to those of the workspace that
 * it is for, grants and adjustments to those of every workspace of the organization; to whoever may read it.
 */
export function billingFrames({ balanceOf, workspacesOf }: Look): Frames {
  const changed: Tells = {
    event: 'billing.balance_changed',
    async channels(fact: Fact<Changing>): Promise<readonly Channel[]> {
      if (fact.meta.workspace !== null) return inWorkspace(fact);
      const workspaces = await workspacesOf(fact.data.organizationId);
      return workspaces.map(workspace => `workspace:${workspace}` as const);
    },
    async data({ type, data }: Fact<Changing>): Promise<FrameData | null> {
      const balance = await balanceOf(data.organizationId);
      return balance === null ? null : { balance: creditsText(balance), reason: reasons[type] };
    },
    gathered: latest,
    guarded: true,
  };
  return { CreditsCharged: changed, CreditsGranted: changed, CreditsAdjusted: changed };
}
