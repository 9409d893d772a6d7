import { fetchWhole } from './fetch-whole';
import { Refusal } from './refusal';
import type {
  PortalChangeBody,
  PortalDone,
  PortalOutcome,
  PortalPayLink,
  PortalPreview,
  PortalUnderWay,
  PortalView,
} from './types';

async function send(method: string, path: string, options: { body?: unknown; key?: string } = {}) {
  const headers: Record<string, string> = {};
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.key !== undefined) headers['Idempotency-Key'] = options.key;
  const body = options.body === undefined ? {} : { body: JSON.stringify(options.body) };
  return answered(`/portal/api/${path}`, { method, headers, ...body });
}

async function answered(address: string, request: RequestInit): Promise<Response> {
  const answer = await fetchWhole(address, { ...request, cache: 'no-store', credentials: 'same-origin' });
  if (answer.ok && !isOfService(answer)) throw new Refusal(0, 'internal_error', null);
  if (answer.ok || answer.status === 304) return answer;
  const problem = (await answer.json().catch(() => ({}))) as { code?: string; reason?: string };
  throw new Refusal(answer.status, problem.code ?? 'unknown', problem.reason ?? null);
}

/**
 * Returns whether the service itself answered. A proxy's sign-in page or a captive portal says nothing about the
 * request's outcome.
 */
function isOfService(answer: Response): boolean {
  return answer.status === 204 || (answer.headers.get('Content-Type') ?? '').startsWith('application/json');
}

/** @throws Refusal if the body is missing or cut off, which says nothing about the request's outcome */
async function bodyOf<Body>(answer: Response): Promise<Body> {
  try {
    return (await answer.json()) as Body;
  } catch {
    throw new Refusal(0, 'internal_error', null);
  }
}

/** Turns a link into a session. It works once. */
export async function openSession(token: string): Promise<void> {
  await send('POST', 'session', { body: { token } });
}

export async function leave(): Promise<void> {
  await send('DELETE', 'session');
}

/**
 * Reads the view; null if it is unchanged.
 *
 * @param known tag of the view shown now
 * @param signal stops the request
 */
export async function readView(
  known: string | null,
  signal: AbortSignal,
): Promise<{ view: PortalView; tag: string } | null> {
  const address = known === null ? '/portal/api/view' : '/portal/api/view?watching=true';
  const headers = known === null ? {} : { headers: { 'If-None-Match': known } };
  const answer = await answered(address, { ...headers, signal });
  if (answer.status === 304) return null;
  return { view: await bodyOf<PortalView>(answer), tag: answer.headers.get('ETag') ?? '' };
}

export async function previewChange(id: string, body: PortalChangeBody): Promise<PortalPreview> {
  const answer = await send('POST', `subscriptions/${encodeURIComponent(id)}/preview`, { body });
  return bodyOf<PortalPreview>(answer);
}

export type Command = 'change' | 'cancel' | 'reactivate' | 'withdraw';

/**
 * @param key the same for each attempt at one decision, so that it is carried out once
 * @returns the result, or the operation still in progress
 */
export async function command(
  id: string,
  name: Command,
  body: PortalChangeBody,
  key: string,
): Promise<PortalDone | PortalUnderWay> {
  const answer = await send('POST', `subscriptions/${encodeURIComponent(id)}/${name}`, { body, key });
  return bodyOf<PortalDone | PortalUnderWay>(answer);
}

/** Reads the outcome of a command that was still in progress. */
export async function readOutcome(operationId: string): Promise<PortalOutcome> {
  const address = `/portal/api/operations/${encodeURIComponent(operationId)}?watching=true`;
  return bodyOf<PortalOutcome>(await answered(address, {}));
}

/** Returns where an overdue amount is paid at its provider; null if there is no such page, or it is not known yet. */
export async function findPayLink(id: string): Promise<PortalPayLink> {
  const answer = await send('POST', `subscriptions/${encodeURIComponent(id)}/pay-link?watching=true`, {
    body: {},
  });
  const { url, mayExist } = await bodyOf<Partial<PortalPayLink>>(answer);
  // An earlier version of the service does not say whether there may be one.
  return { url: url ?? null, mayExist: mayExist ?? true };
}

/** Makes the service ask the provider whether a past-due amount was paid. */
export async function lookForPayment(id: string): Promise<void> {
  await send('POST', `subscriptions/${encodeURIComponent(id)}/paid`, { body: {} });
}
