import type { Connector } from '../../commands/ingestion/connectors.js';

/** A connector whose module is loaded when it is first asked: few platforms ever ask it. */
export const later = (load: () => Promise<Connector>): Connector => ({
  async *pages(polling) {
    yield* (await load()).pages(polling);
  },
  refusal: async config => (await load()).refusal(config),
});
