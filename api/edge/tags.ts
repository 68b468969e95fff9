/** A group of the description. Groups of groups have no rows of their own. */
export type Tag = { readonly name: string; readonly description: string; readonly parent?: string };

/** All groups, in the order they are shown; only those in use are described. */
export const tags: readonly Tag[] = [
  { name: 'Platform', description: 'Health, readiness, versions and this description' },
  { name: 'Tenancy', description: 'Who may do what, and where' },
  { name: 'Users', parent: 'Tenancy', description: 'The caller, their profile and API tokens' },
  { name: 'Workspaces', parent: 'Tenancy', description: 'Workspaces, members, roles and invitations' },
  { name: 'Organizations', parent: 'Tenancy', description: 'Organizations above workspaces' },
  { name: 'Billing', parent: 'Tenancy', description: 'Balance, usage, estimates and rates' },
  { name: 'Notifications', parent: 'Tenancy', description: 'Feed, channels and preferences' },
  { name: 'Realtime', parent: 'Tenancy', description: 'What happens, told as it happens' },
  { name: 'Data', description: 'What goes in' },
  { name: 'Signals', parent: 'Data', description: 'Continuous time series' },
  { name: 'Events', parent: 'Data', description: 'Dated texts under named streams, each scored' },
  { name: 'Ingestion', parent: 'Data', description: 'Sources, connectors, jobs, imports and webhooks' },
  { name: 'Segments', parent: 'Data', description: 'Model-ready tables' },
  { name: 'Modeling', description: 'What learns' },
  { name: 'Models', parent: 'Modeling', description: 'Catalog, custom, foundation and uploaded models' },
  { name: 'Pipelines', parent: 'Modeling', description: 'Training workflows, schedules and promotion' },
  { name: 'Trainings', parent: 'Modeling', description: 'Runs and their reports' },
  { name: 'Serving', description: 'What forecasts' },
  { name: 'Deployments', parent: 'Serving', description: 'Models in service' },
  { name: 'Inference', parent: 'Serving', description: 'Forecasts, their history and usage' },
  { name: 'Goals', description: 'Targets, discovery, tournaments, forecasts, scenarios and alerts' },
];
