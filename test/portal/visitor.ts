import { KEY_SCOPES } from '../../src/domain/key-scopes';
import { createKey } from '../support/workspace';
import { Integrator } from '../support/integrator';
import type { TestService } from '../support/service';
import type { WorkspaceScope } from '../../src/tenancy/actor';

/** Creates an integrator with the scopes needed to send customers to their page. */
export async function portalIntegrator(
  { database, urls }: Pick<TestService, 'database' | 'urls'>,
  scope: WorkspaceScope,
): Promise<Integrator> {
  const key = await createKey(database, scope, KEY_SCOPES);
  return new Integrator(urls[scope.environment], key);
}

/** Returns a link to a customer's page, on the host that really serves it. */
export async function linkFor(
  app: Integrator,
  externalId: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  const { status, body, text } = await app.send('POST', '/v1/portal-sessions', { externalId, ...more });
  if (status !== 201) throw new Error(`The link was answered ${status}: ${text}`);
  const { pathname, hash } = new URL(String(body['url']));
  return `${app.baseUrl}${pathname}${hash}`;
}

export interface VisitorAnswer {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown>;
}

/** Client of the page's own routes that sends what a browser sends. */
export class Visitor {
  constructor(
    readonly host: string,
    public cookie: string | null = null,
  ) {}

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<VisitorAnswer> {
    const answer = await fetch(`${this.host}/portal/api/${path}`, {
      method,
      headers: {
        Origin: this.host,
        'Sec-Fetch-Site': 'same-origin',
        ...(this.cookie === null ? {} : { Cookie: this.cookie }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = answer.headers.get('content-type')?.includes('json') === true;
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: json ? (JSON.parse(text) as Record<string, unknown>) : {},
    };
  }

  /** Opens a link and keeps the cookie. */
  async open(link: string): Promise<VisitorAnswer> {
    const answer = await this.send('POST', 'session', { token: new URL(link).hash.slice(1) });
    const set = answer.headers.get('set-cookie');
    if (set !== null) this.cookie = set.split(';')[0] ?? null;
    return answer;
  }

  view(): Promise<VisitorAnswer> {
    return this.send('GET', 'view');
  }

  act(id: string, what: string, body: unknown, key: string): Promise<VisitorAnswer> {
    return this.send('POST', `subscriptions/${id}/${what}`, body, { 'Idempotency-Key': key });
  }
}
