import type { Fact, NewFact } from '../../fact.js';
import type { ChannelFact, ChannelType } from './facts.js';

export const channelStatuses = ['pending_verification', 'active', 'failing', 'disabled'] as const;
export type ChannelStatus = (typeof channelStatuses)[number];

/** Those that something may be delivered over. */
export const DELIVERABLE: readonly ChannelStatus[] = ['active', 'failing'];

export type Channel = {
  readonly uid: string;
  readonly channelType: ChannelType;
  readonly status: ChannelStatus;
  /** Counts what its owner changed, from 1. */
  readonly version: number;
  /** Null, as are target and secret, once their key was thrown away. */
  readonly name: string | null;
  readonly target: string | null;
  readonly secret: string | null;
  /** The code that was sent last; `wrong`: how many others were given since. */
  readonly code: { readonly value: string; readonly expiresAt: number; readonly wrong: number } | null;
  /** When codes were issued, the newest last, epoch ms. */
  readonly codesAt: readonly number[];
};
/** Null: it is not there yet, or no longer. */
export type ChannelState = { readonly channel: Channel | null };
export const initialState: ChannelState = { channel: null };

/** So many times are remembered: as many as the limit of codes looks at. */
const CODES_KEPT = 10;

const becomes: Readonly<Partial<Record<ChannelFact['type'], ChannelStatus>>> = {
  ChannelAdded: 'pending_verification',
  ChannelEnabled: 'pending_verification',
  ChannelVerified: 'active',
  ChannelFailing: 'failing',
  ChannelRecovered: 'active',
  ChannelDisabled: 'disabled',
};

/** What a fact makes of a status; whose target changes while it is disabled stays so. */
export function channelStatusAfter(type: ChannelFact['type'], status: ChannelStatus): ChannelStatus {
  if (type === 'ChannelRetargeted') return status === 'disabled' ? status : 'pending_verification';
  return becomes[type] ?? status;
}

/** What a fact makes of the version of a channel: what happens to it by itself leaves it as it is. */
export function channelVersionAfter(fact: NewFact<ChannelFact>, version: number): number {
  const isChange =
    fact.type === 'ChannelDisabled'
      ? fact.data.reason === 'owner'
      : ['ChannelRenamed', 'ChannelRetargeted', 'ChannelEnabled'].includes(fact.type);
  return isChange ? version + 1 : version;
}

export function evolve({ channel }: ChannelState, fact: Fact<ChannelFact>): ChannelState {
  if (fact.type === 'ChannelAdded') return { channel: added(fact) };
  if (fact.type === 'ChannelRemoved' || !channel) return initialState;
  const status = channelStatusAfter(fact.type, channel.status);
  const version = channelVersionAfter(fact, channel.version);
  return { channel: { ...channel, ...changedBy(fact, channel), status, version } };
}

const added = ({ data }: Extract<Fact<ChannelFact>, { type: 'ChannelAdded' }>): Channel => ({
  uid: data.uid,
  channelType: data.channelType,
  status: 'pending_verification',
  version: 1,
  name: data.personal?.name ?? null,
  target: data.personal?.target ?? null,
  secret: data.personal?.secret ?? null,
  code: null,
  codesAt: [],
});

function changedBy(fact: Fact<ChannelFact>, { code, codesAt }: Channel): Partial<Channel> {
  switch (fact.type) {
    case 'ChannelRenamed':
      return { name: fact.data.personal?.name ?? null };
    case 'ChannelRetargeted':
      return { target: fact.data.personal?.target ?? null, code: null };
    case 'ChannelCodeIssued': {
      const { personal, expiresAt } = fact.data;
      const value = personal?.code;
      return {
        code: value === undefined ? null : { value, expiresAt, wrong: 0 },
        codesAt: [...codesAt, fact.at].slice(-CODES_KEPT),
      };
    }
    case 'ChannelCodeRefused':
      return { code: code && { ...code, wrong: code.wrong + 1 } };
    case 'ChannelVerified':
    case 'ChannelDisabled':
      return { code: null };
    default:
      return {};
  }
}
