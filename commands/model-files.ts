import type { FoundationListing, HostedModel, ModelRef } from '../domain/models/hosted.js';
import { Rejected } from '../domain/rejected.js';

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
   * @throws Error that names the file and what to do, where it cannot be had, or the model is `lost`
   */
  place(model: FoundationListing & Pick<HostedModel, 'lost'>): Promise<string>;
};

const LOST = 'model_file_unavailable';

/**
 * The file of a model is gone, or is not the one that was imported. Callers are told which model it is; where
 * the file lies and what to do is in the log, and the doctor says it.
 */
export class ModelFileLost extends Rejected {
  constructor({ family, slug }: ModelRef, cause: unknown) {
    const message =
      `The file of the model ${family}/${slug} is missing or damaged on the server; `
      + 'who runs it has to put it back';
    super('unavailable', LOST, message, { family, slug });
    this.cause = cause;
  }
}

/** A model as it was found. @throws ModelFileLost where it is `lost` */
export function notLost<M extends HostedModel>(model: M | null): M | null {
  if (model?.lost !== undefined) throw new ModelFileLost(model, new Error(model.lost));
  return model;
}

/** Also of a refusal that another process answered. */
export const isModelFileLost = (error: unknown): boolean => error instanceof Rejected && error.code === LOST;

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
