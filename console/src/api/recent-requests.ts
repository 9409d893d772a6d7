/** A request made by the page, for "Show as curl". */
export interface RecentRequest {
  method: string;
  url: string;
  /** Its Idempotency-Key header. */
  key: string | null;
  body: string | null;
}

const KEPT = 12;
let recent: readonly RecentRequest[] = [];
const listeners = new Set<() => void>();

export async function rememberRequest(request: Request): Promise<void> {
  const { method, url } = request;
  // Authentication is not shown: those calls are made by signing in.
  if (new URL(url).pathname.startsWith('/api/auth/')) return;
  const body = method === 'GET' ? null : withoutSecrets(await request.text());
  const key = request.headers.get('idempotency-key');
  const others = recent.filter((known) => known.method !== method || known.url !== url);
  recent = [{ method, url, key, body }, ...others].slice(0, KEPT);
  for (const listener of listeners) listener();
}

/** Replaces each secret in a body by its name, so that entered secrets are neither kept nor shown. */
function withoutSecrets(body: string): string {
  if (!body.includes('"secrets"')) return body;
  return JSON.stringify(JSON.parse(body), (name, value: unknown) =>
    name === 'secrets' && typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.keys(value).map((secret) => [secret, `<${secret}>`]))
      : value,
  );
}

/** Clears the requests when the page changes. */
export function forgetRequests(): void {
  recent = [];
  for (const listener of listeners) listener();
}

export function recentRequests(): readonly RecentRequest[] {
  return recent;
}

/** Subscribes a listener, as `useSyncExternalStore` requires. */
export function onRequests(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
