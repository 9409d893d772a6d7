/** A request that the page has made, for "Show as curl". */
export interface RecentRequest {
  method: string;
  url: string;
  /** Its Idempotency-Key. */
  key: string | null;
  body: string | null;
}

const KEPT = 12;
let recent: readonly RecentRequest[] = [];
const listeners = new Set<() => void>();

export async function rememberRequest(request: Request): Promise<void> {
  const { method, url } = request;
  // What authenticates is not shown: these calls are made by signing in.
  if (new URL(url).pathname.startsWith('/api/auth/')) return;
  const body = method === 'GET' ? null : withoutSecrets(await request.text());
  const key = request.headers.get('idempotency-key');
  const others = recent.filter((known) => known.method !== method || known.url !== url);
  recent = [{ method, url, key, body }, ...others].slice(0, KEPT);
  for (const listener of listeners) listener();
}

/** What was entered as a secret is neither kept nor shown: its name stands in its place. */
function withoutSecrets(body: string): string {
  if (!body.includes('"secrets"')) return body;
  return JSON.stringify(JSON.parse(body), (name, value: unknown) =>
    name === 'secrets' && typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.keys(value).map((secret) => [secret, `<${secret}>`]))
      : value,
  );
}

/** Begins anew for another page. */
export function forgetRequests(): void {
  recent = [];
  for (const listener of listeners) listener();
}

export function recentRequests(): readonly RecentRequest[] {
  return recent;
}

/** As `useSyncExternalStore` wants it. */
export function onRequests(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
