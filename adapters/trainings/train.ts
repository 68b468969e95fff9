import type { Train, TrainingWhat } from '../../domain/trainings/ports.js';
import { customTraining } from './custom.js';
import { foundationTraining } from './foundation.js';
import { uploadedTraining } from './uploaded.js';

/** How each kind is trained; `modelsFolder`: where files of models lie. */
const trains: { readonly [K in TrainingWhat['kind']]: (modelsFolder: string) => Train } = {
  custom: customTraining,
  foundation: foundationTraining,
  byom: uploadedTraining,
};

/** Trains what is asked for. @throws Rejected for what cannot be trained here */
export const trainBy =
  (modelsFolder: string): Train =>
  (table, work, tell) =>
    trains[work.what.kind](modelsFolder)(table, work, tell);
