import { createServer } from 'node:http';
import type { RunningClock } from '../../../simulators/core/clock';
import { createCore } from '../../../simulators/core/core';
import { listen } from '../../../simulators/core/server';
import type { SimulatorCore } from '../../../simulators/core/types';
import { providerB, type AccountHandle, type ProviderB } from '../../../simulators/provider-b';
import type { ConnectionAccess } from '../../../src/providers/connection-access';
import { clockFrom } from '../../support/clock-from';
import { listenLocally } from '../../support/listen-locally';

export const WEBHOOK_ID = '9XL90610J3647323C';
export const CLIENT_ID = 'client-of-the-test';
export const CLIENT_SECRET = 'not-a-real-client-secret';

/** A webhook as received over the network. */
export interface Arrived {
  raw: Buffer;
  headers: Record<string, string | string[] | undefined>;
  rawHeaders: string[];
  event: { id: string; event_type: string; resource: Record<string, unknown> };
}

export interface SimulatedProviderB {
  url: string;
  core: SimulatorCore & { clock: RunningClock };
  b: ProviderB;
  account: AccountHandle;
  arrived: Arrived[];
  /** Waits until every webhook is delivered and returns those that arrived since the last call. */
  webhooks(): Promise<Arrived[]>;
  /** Calls the API with the account's token unless another is given. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  /** Submits the payer's choice on an approval page and returns the page's redirect. */
  choose(page: string, choice: string): Promise<URL>;
  stop(): Promise<void>;
}

export interface Answered {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { id: string; status: string; links: { rel: string; href: string }[] };
}

/** @param options.start the simulated start time, regardless of the real time */
export async function startSimulatedProviderB(options: { start?: string } = {}): Promise<SimulatedProviderB> {
  const real = options.start === undefined ? Date.now : clockFrom(Date.parse(options.start));
  const core = createCore({ real, retryDelaysMs: [] });
  const { outbox } = core;
  const b = providerB(core);
  const server = await listen(b.app, 0);
  const arrived: Arrived[] = [];
  const receiver = await startReceiver(arrived);
  const account = b.account({
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    webhooks: [{ id: WEBHOOK_ID, url: receiver.url }],
    plans: [
      { id: 'P-BASIC', name: 'Basic', price: { value: '10.00', currency_code: 'USD' } },
      { id: 'P-PRO', name: 'Pro', price: { value: '25.50', currency_code: 'USD' } },
      { id: 'P-YEN', name: 'Yen', price: { value: '1200', currency_code: 'JPY' } },
      {
        id: 'P-OTHER',
        name: 'Other',
        productId: 'PROD-OTHER',
        price: { value: '5.00', currency_code: 'USD' },
      },
      { id: 'P-OLD', name: 'Old', status: 'INACTIVE', price: { value: '5.00', currency_code: 'USD' } },
      {
        id: 'P-PATIENT',
        name: 'Patient',
        failureThreshold: 2,
        price: { value: '10.00', currency_code: 'USD' },
      },
      { id: 'P-ONCE', name: 'Once', totalCycles: 1, price: { value: '5.00', currency_code: 'USD' } },
      {
        id: 'P-TWICE',
        name: 'Twice',
        totalCycles: 2,
        price: { value: '5.00', currency_code: 'USD' },
        quantitySupported: false,
      },
    ],
  });
  const token = await takeToken(server.url);
  let seen = 0;
  return {
    url: server.url,
    core,
    b,
    account,
    arrived,
    webhooks: async () => {
      await outbox.flush();
      const since = arrived.slice(seen);
      seen = arrived.length;
      return since;
    },
    call: (method, path, body, headers = {}) => call(server.url, token, { method, path, body, headers }),
    choose: async (page, choice) => {
      const answer = await fetch(page, {
        method: 'POST',
        body: new URLSearchParams({ choice }),
        redirect: 'manual',
      });
      if (answer.status !== 303) throw new Error(`The page answered ${answer.status}.`);
      return new URL(answer.headers.get('location') ?? '');
    },
    stop: async () => {
      await outbox.stop();
      await server.stop();
      await receiver.stop();
    },
  };
}

export function accessTo(url: string, changes: Partial<ConnectionAccess> = {}): ConnectionAccess {
  return {
    connectionId: 'conn_test',
    apiMode: 'sandbox',
    secretVersion: 1,
    secrets: { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, webhookId: WEBHOOK_ID },
    settings: {},
    baseUrl: url,
    ...changes,
  };
}

/** Returns the address of one of an object's links. */
export function linkOf(answer: Answered, rel: string): string {
  const link = answer.body.links.find((l) => l.rel === rel);
  if (link === undefined) throw new Error(`There is no link ${rel}.`);
  return link.href;
}

async function takeToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function call(
  url: string,
  token: string,
  request: { method: string; path: string; body: unknown; headers: Record<string, string> },
): Promise<Answered> {
  const answer = await fetch(url + request.path, {
    method: request.method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...request.headers,
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Answered['body'],
  };
}

async function startReceiver(arrived: Arrived[]): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const { headers, rawHeaders } = request;
      arrived.push({ raw, headers, rawHeaders, event: JSON.parse(raw.toString('utf8')) as Arrived['event'] });
      response.end();
    });
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
