import { openService } from './service.js';
import type { Portion, PortionDone } from './portion.js';

/** A portion that a process of its own does, with the folder of the models. */
export type BroughtPortion = Omit<Portion, 'stopped'> & { readonly dir: string; readonly keptBytes: number };

const services = new Map<string, ReturnType<typeof openService>>();
const running = new Int32Array(1);

/** For the processes that run what people brought: see `adapters/compute/worker.ts`. */
export const tasks = {
  portion({ dir, keptBytes, ...portion }: BroughtPortion): Promise<PortionDone> {
    const service = services.get(dir) ?? openService(dir, keptBytes);
    services.set(dir, service);
    return service.run({ ...portion, stopped: running });
  },
};
