import { randomUUID } from 'node:crypto';
import { send, type Response } from './send';

export interface Answer<Body = Record<string, unknown>> extends Response {
  body: Body;
}

/** An integrator's client: sends JSON with an API key over real HTTP. */
export class Integrator {
  constructor(
    readonly baseUrl: string,
    readonly key: string,
  ) {}

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await send(this.baseUrl + path, {
      method,
      headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const { text } = response;
    return { ...response, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  }

  check(externalId: string, feature: string, quantity: unknown = 1): Promise<Answer> {
    return this.send('POST', '/v1/usage/check', { externalId, feature, quantity });
  }

  track(
    externalId: string,
    feature: string,
    quantity: unknown = 1,
    key: string = randomUUID(),
    more: object = {},
  ): Promise<Answer> {
    return this.send(
      'POST',
      '/v1/usage/track',
      { externalId, feature, quantity, ...more },
      { 'Idempotency-Key': key },
    );
  }
}
