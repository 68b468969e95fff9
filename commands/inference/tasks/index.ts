import type { InferenceTask } from '../../../domain/inference/facts.js';
import type { Task } from '../work.js';
import { classifyTask, embedTask } from './embedding.js';
import { forecastTask } from './forecast.js';
import { anomalyTask, backtestTask, imputeTask } from './judging.js';

/** Each looks at settings that are its own. */
const task = <S extends object>(typed: Task<S>): Task => typed as unknown as Task;

/** All tasks by name. */
export const tasks: Readonly<Record<InferenceTask, Task>> = {
  forecast: task(forecastTask),
  anomaly: task(anomalyTask),
  backtest: task(backtestTask),
  impute: task(imputeTask),
  embed: task(embedTask),
  classify: task(classifyTask),
};
