import { randomBytes } from 'node:crypto';
import type { EventConfig } from '../../domain/ingestion/event-config.js';
import { masked, type Config, type SecretPlaces } from '../../domain/ingestion/masking.js';
import type { SourceKind, SourceMode } from '../../domain/ingestion/sources/facts.js';
import { sources, sourceNotFound } from '../../domain/ingestion/sources/decider.js';
import type {
  KeepSource,
  MarkSourceFailing,
  SourceCommand,
} from '../../domain/ingestion/sources/commands.js';
import type { Source } from '../../domain/ingestion/sources/state.js';
import { SECOND } from '../../domain/time.js';
import { unwritten, type Context, type Handle, type Load } from '../engine/handle.js';
import { newIdIn } from '../engine/ids.js';

export type NewSource = {
  readonly name: string;
  readonly connectorId: string;
  readonly kind: SourceKind;
  readonly mode: SourceMode;
  /** With all its secrets; where they are. */
  readonly config: Config;
  readonly secretPlaces: SecretPlaces;
  readonly eventConfig: EventConfig;
  /** Whether deliveries are signed: it gets a secret then. */
  readonly signed: boolean;
};
export type SourceChanges = {
  readonly name?: string;
  readonly config?: { readonly whole: Config; readonly shown: Config };
  readonly eventConfig?: EventConfig;
};
export type SourceCommands = ReturnType<typeof sourceCommands>;

/** 256 random bits. */
const newSecret = (): string => randomBytes(32).toString('hex');

/** Sources whose secrets stay in memory. */
const MOST_KNOWN = 10_000;

/** `cell`: where sources are made. */
export function sourceCommands(handle: Handle, load: Load, cell: string) {
  const decided = (command: SourceCommand, context: Context) => handle(sources, command, context);
  const known = new Map<string, Source>();

  const found = async (workspace: string, sourceId: string): Promise<Source> => {
    const { source } = await load(sources, `${workspace}.${sourceId}`);
    if (!source) throw sourceNotFound();
    return source;
  };

  return {
    /** `secret`: the one time it is seen; null: deliveries are not signed. */
    async create(workspace: string, wanted: NewSource, context: Context) {
      const { signed, secretPlaces, ...source } = wanted;
      const sourceId = newIdIn(cell, 'src_');
      const secret = signed ? newSecret() : null;
      const shown = masked(source.config, secretPlaces);
      const command = {
        type: 'CreateSource',
        data: { workspace, sourceId, ...source, shown, secret },
      } as const;
      const { position, after } = await handle(sources, command, context, unwritten(sources));
      return { sourceId, secret, position, source: after.source! };
    },
    /** `seen`: the version the caller saw; null: whichever. @throws Rejected 404, 409 */
    change: (
      workspace: string,
      sourceId: string,
      changes: SourceChanges,
      seen: number | null,
      context: Context,
    ) => decided({ type: 'ChangeSource', data: { workspace, sourceId, ...changes, seen } }, context),
    /** `seen`: the version the caller saw; null: whichever. @throws Rejected 404, 409 */
    delete: (workspace: string, sourceId: string, seen: number | null, context: Context) =>
      decided({ type: 'DeleteSource', data: { workspace, sourceId, seen } }, context),
    /** Pauses or resumes it, or marks it as recovered. @throws Rejected 404 */
    keep: (workspace: string, sourceId: string, type: KeepSource['type'], context: Context) =>
      decided({ type, data: { workspace, sourceId } }, context),
    markFailing: (data: MarkSourceFailing['data'], context: Context) =>
      decided({ type: 'MarkSourceFailing', data }, context),
    /** Answers the new secret, the one time it is seen; those of before count for `graceS` seconds more. */
    async rotateSecret(workspace: string, sourceId: string, graceS: number, context: Context) {
      const secret = newSecret();
      const graceUntil = context.at + graceS * SECOND;
      const data = { workspace, sourceId, secret, graceUntil };
      const { position } = await decided({ type: 'RotateSourceSecret', data }, context);
      return { secret, graceUntil, position };
    },
    /** As its facts tell it now, with all secrets. @throws Rejected 404 */
    found,
    /**
     * The same as it stood at a revision of its journal, or later: read once and remembered, for deliveries.
     * @throws Rejected 404
     */
    async at(workspace: string, sourceId: string, revision: number): Promise<Source> {
      const before = known.get(sourceId);
      if (before && before.revision >= revision) return before;
      const source = await found(workspace, sourceId);
      known.delete(sourceId);
      known.set(sourceId, source);
      for (const oldest of known.keys()) {
        if (known.size <= MOST_KNOWN) break;
        known.delete(oldest);
      }
      return source;
    },
  };
}
