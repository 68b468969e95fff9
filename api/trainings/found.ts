import { isGone } from '../../commands/ports/contents.js';
import { Rejected } from '../../domain/rejected.js';
import { trainingNotFound } from '../../domain/trainings/decider.js';
import type { TrainingDoc } from '../../projections/trainings/documents.js';
import type { TrainingDeps } from './deps.js';

/** @throws Rejected 404 */
export async function found(
  { queries }: Pick<TrainingDeps, 'queries'>,
  workspace: string,
  trainingId: string,
): Promise<TrainingDoc> {
  const doc = await queries.training(workspace, trainingId);
  if (!doc) throw trainingNotFound(trainingId);
  return doc;
}

/** @throws Rejected 409 */
export const notCompleted = ({ status }: Pick<TrainingDoc, 'status'>): Rejected =>
  new Rejected('conflict', 'training_not_completed', `The training is ${status}`, { status });

/** What is read of a training's files. @throws Rejected 410 where they are no longer there */
export async function kept<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isGone(error)) throw error;
    throw new Rejected('gone', 'report_not_kept', 'The report of this training is lost on the server');
  }
}
