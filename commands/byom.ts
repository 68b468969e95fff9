import type { ByomCommand, DeleteByom, EndByomValidation, RegisterByom } from '../domain/byom/commands.js';
import { byomNotFound, byoms } from '../domain/byom/decider.js';
import type { ByomUploaded } from '../domain/byom/facts.js';
import type { Byom } from '../domain/byom/state.js';
import { Rejected } from '../domain/rejected.js';
import { unwritten, type Context, type Handle, type Load } from './engine/handle.js';
import { newId } from './engine/ids.js';
import type { ModelFiles } from './model-files.js';
import type { FileStore } from './ports/file-store.js';

/** `path`: where the file lies until it was taken. `declared`: the SHA-256 that the caller says it has. */
export type NewByom = Omit<ByomUploaded['data'], 'workspace' | 'byomId'> & {
  readonly path: string;
  readonly declared: string | null;
};
type Deps = {
  readonly handle: Handle;
  /** As `handle`, and nothing is written. */
  readonly tryOut: Handle;
  readonly load: Load;
  /** What was uploaded. */
  readonly files: FileStore;
  /** What serves. */
  readonly modelFiles: ModelFiles;
  /** What a model is needed for, in words. */
  readonly uses: (workspace: string, byomId: string) => Promise<readonly string[]>;
  /** Whether another model than this one is served by the file of this SHA-256. */
  readonly isShared: (sha256: string, byomId: string) => Promise<boolean>;
};
export type ByomCommands = ReturnType<typeof byomCommands>;

/** The name of an upload: the id of its journal. */
export const fileOf = (workspace: string, byomId: string): string => `${workspace}.${byomId}`;

/** What is done with models that users bring. */
export function byomCommands({ handle, tryOut, load, files, modelFiles, uses, isShared }: Deps) {
  const decided = (command: ByomCommand, context: Context) => handle(byoms, command, context);
  const found = async (workspace: string, byomId: string): Promise<Byom> => {
    const state = await load(byoms, `${workspace}.${byomId}`);
    if (!state || state.status === 'deleted') throw byomNotFound();
    return state;
  };
  const takeAway = async (workspace: string, byomId: string, sha256: string | undefined): Promise<void> => {
    await files.remove(fileOf(workspace, byomId));
    if (sha256 && !(await isShared(sha256, byomId))) await modelFiles.drop(sha256);
  };
  return {
    found,
    /** @throws Rejected 422 where the file is not the one that is meant */
    async upload(workspace: string, { path, declared, ...given }: NewByom, context: Context) {
      if (declared !== null && declared.toLowerCase() !== given.sha256)
        throw notTheFile(given.sha256, declared.toLowerCase());
      const byomId = newId('byo_');
      await files.put(fileOf(workspace, byomId), path);
      const command = { type: 'UploadByom', data: { workspace, byomId, ...given } } as const;
      const { position } = await handle(byoms, command, context, unwritten(byoms));
      return { byomId, position };
    },
    /** @throws Rejected 404, 409 */
    async validate(
      workspace: string,
      byomId: string,
      segmentId: string | null,
      by: string,
      context: Context,
    ) {
      const data = { workspace, byomId, validationId: newId('val_'), segmentId, by };
      const { position } = await decided({ type: 'RequestByomValidation', data }, context);
      return { validationId: data.validationId, position };
    },
    start: (workspace: string, byomId: string, validationId: string, context: Context) =>
      decided({ type: 'StartByomValidation', data: { workspace, byomId, validationId } }, context),
    end: (data: EndByomValidation['data'], context: Context) =>
      decided({ type: 'EndByomValidation', data }, context),
    /** @throws Rejected 404, 409 */
    async register(data: RegisterByom['data'], context: Context) {
      const { after, position } = await decided({ type: 'RegisterByom', data }, context);
      return { uid: after!.uid!, position };
    },
    /** `isDry`: nothing goes. @throws Rejected 404, 409 where it is in use or has another version */
    async remove(data: Omit<DeleteByom['data'], 'inUse'>, isDry: boolean, context: Context) {
      const { workspace, byomId } = data;
      const { network } = await found(workspace, byomId);
      const inUse = await uses(workspace, byomId);
      const command = { type: 'DeleteByom', data: { ...data, inUse } } as const;
      const { position } = await (isDry ? tryOut : handle)(byoms, command, context);
      if (!isDry) await takeAway(workspace, byomId, network?.sha256);
      return position;
    },
    /** Keeps a network where serving finds it. */
    async keepNetwork(path: string) {
      const { sha256, bytes } = await modelFiles.bring(path);
      await modelFiles.keep(sha256);
      return { sha256, bytes };
    },
    /** Lends the file as it was uploaded. */
    use: <T>(workspace: string, byomId: string, work: (path: string) => Promise<T>): Promise<T> =>
      files.use(fileOf(workspace, byomId), work),
    /** Takes away files that lie there for longer than so many ms, and that no model has. */
    async sweep(ms: number): Promise<void> {
      for (const name of await files.older(ms)) {
        if (!name.includes('.byo_')) continue;
        const state = await load(byoms, name);
        if (!state || state.status === 'deleted') await files.remove(name);
      }
    },
  };
}

const notTheFile = (sha256: string, declared: string): Rejected => {
  const msg = `The file that came has sha256 ${sha256}, not ${declared}`;
  const detail = [{ loc: ['body', 'sha256'], msg: `is not that of the file: ${sha256}`, type: 'checksum' }];
  return new Rejected('unprocessable', 'checksum_mismatch', msg, { sha256, detail });
};
