import { deserialize, serialize } from 'node:v8';
import { Cancelled } from '../../domain/maths/compute.js';
import type { SeriesForecast } from '../../domain/maths/forecasting/forecaster.js';
import { Rejected } from '../../domain/rejected.js';
import { ENDING, FAULT, REFUSED, type Asked, type NotDone } from './messages.js';

/** The process could not be reached, or is ending: another may be asked. */
export class Unreached extends Error {}

export type Other = { readonly url: string; readonly token: string };

const FIGURES_WITHIN_MS = 2_000;

/**
 * Asks another process for a forecast. Rejects as its forecaster does, and with `Unreached` where it gave no
 * answer.
 */
export async function askForecast(
  { url, token }: Other,
  asked: Asked,
  signal: AbortSignal,
): Promise<SeriesForecast[]> {
  const response = await reach(`${url}/forecast`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: serialize(asked),
    signal,
  });
  if (response.status === 200) return deserialize(await bytesOf(response, signal)) as SeriesForecast[];
  if (response.status !== REFUSED && response.status !== FAULT)
    throw new Unreached(`${url} answers ${response.status}${response.status === ENDING ? ': it ends' : ''}`);
  const { refused, message } = JSON.parse((await bytesOf(response, signal)).toString()) as NotDone;
  if (refused) throw new Rejected(refused.kind, refused.code, message, refused.details);
  throw response.status === REFUSED ? new Cancelled() : new Error(message);
}

/** JSON of another process; null where it gives none in time. */
export async function askJson<T>({ url, token }: Other, path: string): Promise<T | null> {
  try {
    const signal = AbortSignal.timeout(FIGURES_WITHIN_MS);
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/${path}`, { headers, signal });
    return response.ok ? ((await response.json()) as T) : null;
  } catch {
    return null;
  }
}

/** Lets another process end the calls of a deployment; where it cannot be reached there is nothing to end. */
export async function askEnd({ url, token }: Other, promotionId: string): Promise<void> {
  await fetch(`${url}/end/${encodeURIComponent(promotionId)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(FIGURES_WITHIN_MS),
  }).catch(() => undefined);
}

async function reach(url: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    throw broken(error, init.signal);
  }
}

async function bytesOf(response: Response, signal: AbortSignal): Promise<Buffer> {
  try {
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    throw broken(error, signal);
  }
}

const broken = (error: unknown, signal: AbortSignal): Error =>
  signal.aborted ? new Cancelled() : new Unreached((error as Error).message, { cause: error });
