import type { Data, Kind } from './kind.js';
import { figure, pathOf, words } from './words.js';

const goal = pathOf('/v1/goals/', 'goal_id');
const fleet = pathOf('/v1/goals/fleets/', 'fleet_id');
const isOfFleet = ({ fleet_id: fleetId }: Data): boolean => typeof fleetId === 'string';
const source = pathOf('/v1/ingestion/sources/', 'source_id');
const ofGoal = (data: Data): string => words(data, 'goal_name', words(data, 'name', words(data, 'goal_id')));
const ofEdge = (data: Data): string =>
  `${words(data, 'source_key', words(data, 'edge_id'))} for goal `
  + words(data, 'goal_name', words(data, 'goal_id'));
const ofSource = (data: Data): string => words(data, 'name', words(data, 'source_id'));
const alert = pathOf('/v1/goals/alerts/', 'alert_id');
const firesIn = ({ repeated }: Data): string => (repeated === true ? 'still fires' : 'fired');
const ofAlert = (data: Data): string => words(data, 'name', words(data, 'alert_id'));

/** Of goals, what drives them, alerts, and where data come from. */
export const forecastKinds = {
  history_revised: {
    severity: 'info',
    title: () => 'History was revised',
    body: data => `Late data at ${words(data, 'key', 'a stream')} changed what was known of the past.`,
    link: data => pathOf('/v1/revisions/', 'revision_id')(data) ?? goal(data),
  },
  'goal.activated': {
    severity: 'info',
    title: data =>
      isOfFleet(data)
        ? `Goals of fleet ${words(data, 'fleet_name', words(data, 'fleet_id'))} are active`
        : `Goal ${ofGoal(data)} is active`,
    body: data =>
      isOfFleet(data)
        ? `The newest is ${ofGoal(data)}. Forecasts of each are issued from when it is.`
        : 'Forecasts are issued from now on.',
    link: data => (isOfFleet(data) ? fleet(data) : goal(data)),
  },
  'goal.shock_entered': {
    severity: 'warning',
    title: data => `Goal ${ofGoal(data)} is in a shock`,
    body: data =>
      `It began with ${words(data, 'cause', 'an event')}; forecasts blend in what such events did.`,
    link: goal,
  },
  'goal.shock_exited': {
    severity: 'info',
    title: data => `Goal ${ofGoal(data)} is out of its shock`,
    body: () => 'Forecasts are as before.',
    link: goal,
  },
  'goal.health_changed': {
    severity: ({ health }) => (health === 'ok' ? 'info' : 'warning'),
    title: data => `Goal ${ofGoal(data)}: health is ${words(data, 'health')}`,
    body: data => words(data, 'reason', `Before it was ${words(data, 'previous_health')}.`),
    link: goal,
  },
  'alert.fired': {
    severity: ({ severity }) => (severity === 'info' || severity === 'critical' ? severity : 'warning'),
    title: data =>
      data['test'] === true ? `Test of alert ${ofAlert(data)}` : `Alert ${ofAlert(data)} ${firesIn(data)}`,
    body: data => words(data, 'message', `The value is ${figure(data, 'value')}.`),
    link: alert,
  },
  'alert.resolved': {
    severity: 'info',
    title: data => `Alert ${ofAlert(data)} is resolved`,
    body: data => words(data, 'message', 'What it watches is as it should be.'),
    link: alert,
  },
  'alert.no_data': {
    severity: 'warning',
    title: data => `Alert ${ofAlert(data)} has no data`,
    body: data => `For three cadences nothing came to check; the last came at ${words(data, 'last_at')}.`,
    link: alert,
  },
  'edge.validated': {
    severity: 'info',
    title: data => `A driver was found: ${ofEdge(data)}`,
    body: data => `Forecasts with it are better by ${figure(data, 'lift')}.`,
    link: goal,
  },
  'edge.weakening': {
    severity: 'warning',
    title: data => `A driver weakens: ${ofEdge(data)}`,
    body: data => `Its lift is ${figure(data, 'lift')} now.`,
    link: goal,
  },
  'edge.retired': {
    severity: 'info',
    title: data => `A driver is retired: ${ofEdge(data)}`,
    body: () => 'Forecasts go without it.',
    link: goal,
  },
  'ingestion.source_failing': {
    severity: 'warning',
    title: data => `Source ${ofSource(data)} is failing`,
    body: data => words(data, 'message', 'Its last runs all failed.'),
    link: source,
  },
  'ingestion.import_finished': {
    severity: ({ status }) => (status === 'failed' ? 'warning' : 'info'),
    title: data =>
      `Import ${words(data, 'file', words(data, 'import_id'))}: ${words(data, 'status', 'finished')}`,
    body: data => `${words(data, 'accepted', '0')} rows taken, ${words(data, 'rejected', '0')} refused.`,
    link: pathOf('/v1/ingestion/files/', 'import_id'),
  },
} as const satisfies Readonly<Record<string, Kind>>;
