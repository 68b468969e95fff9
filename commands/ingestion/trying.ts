import type { Source } from '../../domain/ingestion/sources/state.js';
import type { Connector } from './connectors.js';
import { faultOf } from './faults.js';

/** What a source that is asked answers just now, or why it could not be asked. */
export type Tried =
  | { readonly items: readonly unknown[]; readonly fault: null }
  | { readonly items: null; readonly fault: string };

/** Asks for the first items that a source has, from its beginning; nothing is stored. */
export async function tried(
  connectors: ReadonlyMap<string, Connector>,
  source: Source,
  signal: AbortSignal,
): Promise<Tried> {
  const { config, connectorId, eventConfig } = source;
  const connector = connectors.get(connectorId);
  if (!connector || config === null) return { items: null, fault: 'The source cannot be asked' };
  const polling = { config, cursor: null, pagesRead: 0, signal, itemsPath: eventConfig.arrayPath };
  try {
    for await (const { parts } of connector.pages(polling)) {
      for await (const items of parts) return { items, fault: null };
      break;
    }
    return { items: [], fault: null };
  } catch (error) {
    const fault = faultOf(error);
    if (!fault) throw error;
    return { items: null, fault: fault.message };
  }
}
