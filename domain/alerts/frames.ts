import type { Fact } from '../fact.js';
import type { Channel, Frames, Tells } from '../realtime/frame.js';
import type { AlertFired, AlertResolved } from './facts.js';

const channels = ({ meta, data }: Fact<AlertFired | AlertResolved>): readonly Channel[] => [
  `workspace:${meta.workspace!}`,
  ...(data.goalId === null ? [] : [`goal:${data.goalId}` as const]),
];

const told = (event: string): Tells => ({
  event,
  channels,
  data: ({ data: { alertId, instanceId, goalId, severity } }: Fact<AlertFired | AlertResolved>) => ({
    ...{ alert_id: alertId, instance_id: instanceId, goal_id: goalId, severity },
  }),
});

/** What is told of alerts. */
export const alertFrames: Frames = {
  AlertFired: told('alert.fired'),
  AlertResolved: told('alert.resolved'),
};
