import { RedirectRefused, type OutgoingAnswer, type OutgoingRequest } from '../../commands/ports/outgoing.js';

/** `location`: where the answer sends whoever asked, as it stands in it. */
export type Answer = OutgoingAnswer & { readonly location: string | null };

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** What was posted is posted again by these alone, as Fetch has it. */
const REPEATING: readonly number[] = [307, 308];

export const isRedirect = (status: number): boolean => REDIRECTS.includes(status);

/**
 * Asks, and goes where it is sent, as often as the request allows: headers and what is posted are for one
 * origin alone.
 * @throws RedirectRefused
 */
export async function followed(
  request: OutgoingRequest,
  ask: (request: OutgoingRequest) => Promise<Answer>,
): Promise<Answer> {
  let asked = request;
  for (let left = request.redirects; ; left!--) {
    const answer = await ask(asked);
    if (left === undefined || !isRedirect(answer.status) || answer.location === null) return answer;
    if (left === 0) throw new RedirectRefused(`More than ${request.redirects} redirects`);
    asked = redirected(asked, answer.status, answer.location);
  }
}

function redirected(request: OutgoingRequest, status: number, location: string): OutgoingRequest {
  const next = URL.canParse(location, request.url) ? new URL(location, request.url) : null;
  if (next?.origin !== new URL(request.url).origin)
    throw new RedirectRefused('A redirect leads to another origin, where it is not followed');
  if (REPEATING.includes(status)) return { ...request, url: next.href };
  const { body: _, ...rest } = request;
  return { ...rest, url: next.href, method: 'GET' };
}
