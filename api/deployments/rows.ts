import type { Row } from '../edge/row.js';
import { changeRows } from './changes.js';
import { deployRows } from './deploy.js';
import type { DeploymentDeps } from './deps.js';
import { readRows } from './reads.js';

/** Models in service: spec 4.5 (deploy-foundation) and 4.10, open-parts 11. */
export const deploymentRows = (deps: DeploymentDeps): Row[] => [
  ...deployRows(deps),
  ...readRows(deps),
  ...changeRows(deps),
];
