import { Rejected } from '../rejected.js';
import type { HostedModel, ModelRef } from './hosted.js';

/** Families of what is made or brought here; no imported family is called so. The slug is the id of it. */
export const MADE = { training: 'trained', adapter: 'adapter', byom: 'byom' } as const;
export type MadeFamily = (typeof MADE)[keyof typeof MADE];

const families: readonly string[] = Object.values(MADE);
export const isMade = ({ family }: ModelRef): boolean => families.includes(family);

/**
 * A model that was made or brought, and what it came from. `blueprintUid` and `trainingId`: null where it has
 * none.
 */
export type MadeModel = HostedModel & {
  readonly blueprintUid: string | null;
  readonly trainingId: string | null;
};

/** Who asks. `workspaceIds`: those that their token is limited to; null: it is not. */
export type Asker = { readonly uid: string; readonly workspaceIds: readonly string[] | null };

/** What else can be deployed, besides foundation models. */
export type MadeModels = {
  /** @throws Rejected 404 for another's or none, 409 for one that is not there yet, or makes no model */
  readonly training: (workspace: string, trainingId: string) => Promise<MadeModel>;
  /** `by` null: the platform. @throws Rejected as `training` */
  readonly adapter: (workspace: string, by: Asker | null, adapterId: string) => Promise<MadeModel>;
  /** @throws Rejected as `training` */
  readonly byom: (workspace: string, byomId: string) => Promise<MadeModel>;
  /** Of any workspace: who asks has it from a deployment. Null: it is gone. */
  readonly find: (ref: ModelRef) => Promise<MadeModel | null>;
};

/** What is said of one that is not there, or another's. `what`: `training`. */
export const noSuch = (what: string, id: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no ${what} ${id}`, { id });
