/** Which rooms a room may reach; `main`, `config`, `json-schema` and `fair-turns` are files at the top. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  commands: ['domain', 'fair-turns'],
  projections: ['domain', 'fair-turns'],
  workers: ['domain', 'commands', 'projections'],
  api: ['domain', 'commands', 'projections', 'json-schema', 'fair-turns'],
  adapters: ['domain', 'commands', 'projections', 'config'],
  areas: ['domain', 'commands', 'projections', 'workers', 'api', 'adapters', 'config'],
  cli: ['domain', 'commands', 'projections', 'workers', 'api', 'adapters', 'config', 'areas', 'main'],
  config: ['domain', 'json-schema'],
  'json-schema': [],
  'fair-turns': [],
  main: ['domain', 'commands', 'projections', 'workers', 'api', 'adapters', 'config', 'areas'],
};

/** A room in parts: folders, or single files. */
export type Parts = {
  /** What every area stands on. These parts know each other and no area. */
  readonly ground: readonly string[];
  /** Each after those it is built on, which are the ones it may reach. */
  readonly areas: Readonly<Record<string, readonly string[]>>;
};

/** The rooms that are divided into areas. */
export const divided: Readonly<Record<string, Parts>> = {
  domain: {
    ground: ['aliases', 'cell', 'decider', 'drawing', 'fact', 'maths', 'rejected', 'tables', 'time'],
    areas: {
      realtime: [],
      tokens: ['realtime'],
      users: [],
      groups: ['realtime', 'tokens', 'users'],
      signals: ['realtime'],
      events: ['realtime'],
      marketplace: ['events', 'signals'],
      models: [],
      deployments: ['models', 'realtime'],
      inference: ['deployments', 'models', 'signals'],
      billing: [],
      notifications: ['groups', 'users'],
    },
  },
  commands: {
    ground: ['engine', 'ports'],
    areas: {
      totp: [],
      registration: [],
      users: ['registration', 'totp'],
      'token-value': [],
      'api-tokens': ['token-value'],
      ops: [],
      groups: [],
      installation: ['groups', 'registration', 'token-value'],
      erasure: ['groups'],
      signals: [],
      events: [],
      marketplace: [],
      models: [],
      'model-files': [],
      'foundation-models': ['model-files'],
      deployments: [],
      'serving-pool': [],
      probing: ['model-files', 'serving-pool'],
      bringing: ['deployments', 'probing', 'serving-pool'],
      serving: ['bringing', 'deployments', 'probing', 'serving-pool'],
      inference: [],
      billing: [],
      notifications: [],
    },
  },
  projections: {
    ground: ['engine'],
    areas: {
      audit: [],
      identity: [],
      signals: [],
      events: [],
      marketplace: ['events', 'signals'],
      catalogue: ['events', 'marketplace', 'signals'],
      deployments: [],
      models: [],
      inference: [],
      billing: [],
      usage: [],
      notifications: [],
    },
  },
  workers: {
    ground: ['engine'],
    areas: {
      demoting: [],
      deployments: [],
      warming: [],
      due: [],
      erasure: [],
      turns: [],
      latecomers: ['turns'],
      scoring: [],
      rescoring: ['scoring'],
      inferences: [],
      grading: [],
      opening: [],
      renewing: [],
      recipients: [],
      notifying: [],
      'expiring-tokens': [],
    },
  },
  api: {
    ground: ['edge'],
    areas: {
      users: [],
      groups: [],
      catalogue: [],
      events: ['catalogue'],
      signals: ['catalogue'],
      models: [],
      deployments: [],
      inference: [],
      billing: [],
      realtime: [],
      notifications: [],
    },
  },
  areas: {
    ground: [
      'area',
      'figures',
      'kernel',
      'other-log',
      'process-roles',
      'read-models',
      'same-log',
      'watching',
    ],
    areas: {
      audit: [],
      marketplace: [],
      notices: [],
      identity: ['audit', 'notices'],
      billing: ['identity'],
      scorer: [],
      'scoring-room': [],
      events: ['identity', 'marketplace', 'scorer', 'scoring-room'],
      signals: ['events', 'marketplace'],
      models: ['identity', 'notices'],
      'serving-pool': [],
      deployments: ['identity', 'models', 'notices', 'serving-pool'],
      inference: ['deployments', 'identity', 'marketplace', 'signals'],
      usage: ['billing', 'deployments', 'events'],
      realtime: ['identity'],
      notifications: ['deployments', 'identity', 'models'],
      index: [
        'realtime',
        'serving-pool',
        'audit',
        'marketplace',
        'identity',
        'billing',
        'events',
        'signals',
        'models',
        'deployments',
        'inference',
        'usage',
        'notifications',
      ],
    },
  },
};

/** Where the ground of one room knows areas of another all the same, and why. */
export const groundKnows: Readonly<Record<string, readonly string[]>> = {
  // Every request comes with a token, its scopes, and a role in a workspace
  'api/edge': ['domain/groups', 'domain/tokens', 'projections/identity'],
  // Every area says what is told of its facts
  'areas/area': ['domain/notifications', 'domain/realtime'],
};
