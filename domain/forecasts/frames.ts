import type { Fact } from '../fact.js';
import { onGoal } from '../goals/frames.js';
import type { Frames, Tells } from '../realtime/frame.js';
import type { GoalForecastIssued } from './facts.js';

const issued: Tells = {
  event: 'goal.forecast_issued',
  channels: onGoal,
  data: ({ data }: Fact<GoalForecastIssued>) => ({
    goal_id: data.goalId,
    forecast_id: data.forecastId,
    status: 'active',
    shock_state: data.shock?.state ?? 'normal',
  }),
};

/** What is told of goals' forecasts. */
export const forecastFrames: Frames = { GoalForecastIssued: issued };
