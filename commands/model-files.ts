import type { FoundationListing } from '../domain/models/hosted.js';

/** `isNew`: it was not there before. */
export type Brought = {
  readonly sha256: string;
  readonly bytes: number;
  /** The copy. */
  readonly path: string;
  readonly isNew: boolean;
};

/**
 * The files of imported models, each under its sha256: a folder on this machine and, where several processes
 * share the stores, a store behind it that all of them read.
 */
export type ModelFiles = {
  /** The folder. */
  readonly folder: string;
  /** Copies a file into the folder. @throws Rejected 404 where there is none */
  bring(path: string): Promise<Brought>;
  /** Keeps a file that was brought where every process finds it. */
  keep(sha256: string): Promise<void>;
  /** Takes away a file that was brought and is not kept. */
  drop(sha256: string): Promise<void>;
  /**
   * Reads the model's file from end to end; one that is missing or damaged is fetched from the store behind.
   * @throws Error that names the file and what to do, where it cannot be had
   */
  verify(model: FoundationListing): Promise<void>;
  /**
   * Makes sure that the model's file lies in the folder and is what was imported, with what the runtime needs
   * to know of it beside it; answers its name there.
   * @throws Error that names the file and what to do, where it cannot be had
   */
  place(model: FoundationListing): Promise<string>;
};

/** One thing that was looked at before a model was taken. */
export type ModelCheck = {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'warning';
  readonly message: string;
  readonly tookMs: number;
};

/** Runs a model on series made for it, in a process of its own, and says what was found. */
export type ValidateModel = (
  path: string,
  model: Pick<FoundationListing, 'maxContext' | 'maxHorizon' | 'quantiles' | 'graph'>,
) => Promise<readonly ModelCheck[]>;
