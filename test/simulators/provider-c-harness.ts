import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createCore } from '../../simulators/core/core';
import { listen } from '../../simulators/core/server';
import type { SimulatorCore } from '../../simulators/core/types';
import { providerC, type AccountControls, type ProviderC } from '../../simulators/provider-c';
import type { ConnectionAccess } from '../../src/providers/connection-access';
import { listenLocally } from '../support/listen-locally';

export const SECRET_KEY = 'sk_test_fake000000000000000000000000000000c';
export const EMAIL = 'ada@example.com';
/** Time of the simulator's clock until it is advanced. */
export const START = Date.parse('2027-01-30T09:00:00.000Z');

export interface Delivered {
  event: string;
  data: Record<string, unknown>;
  raw: Buffer;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
}

interface Answer {
  status: number;
  body: { status: unknown; message: string; data: Record<string, unknown>; code?: string };
}

export interface Harness {
  url: string;
  core: SimulatorCore;
  simulator: ProviderC;
  controls: AccountControls;
  access: ConnectionAccess;
  /** Returns the webhooks delivered since the last call, in order. */
  delivered(): Promise<Delivered[]>;
  call(method: 'GET' | 'POST', path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Starts a payment and performs `act` on its page. */
  checkout(parameters: Record<string, unknown>, act: string): Promise<{ reference: string; page: Response }>;
  stop(): Promise<void>;
}

/** Starts a simulator of provider C with an account, three plans and a receiver of its webhooks. */
export async function startProviderC(): Promise<Harness> {
  const core = createCore({ real: () => START, retryDelaysMs: [] });
  const { outbox } = core;
  const simulator = providerC(core);
  const server = await listen(simulator.app, 0);
  const receiver = await receive();
  const controls = simulator.account({
    secretKey: SECRET_KEY,
    webhookUrl: receiver.url,
    plans: [
      { code: 'PLN_monthly', name: 'Monthly', amount: 50_000, currency: 'NGN', interval: 'monthly' },
      { code: 'PLN_hourly', name: 'Hourly', amount: 1_000, currency: 'NGN', interval: 'hourly' },
    ],
  });

  async function call(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    key = SECRET_KEY,
  ): Promise<Answer> {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  return {
    url: server.url,
    core,
    simulator,
    controls,
    access: {
      connectionId: 'conn_test',
      apiMode: 'sandbox',
      secretVersion: 1,
      secrets: { secretKey: SECRET_KEY },
      settings: {},
      baseUrl: server.url,
    },
    delivered: async () => {
      await outbox.flush();
      return receiver.got.splice(0);
    },
    call,
    checkout: async (parameters, act) => {
      const { body } = await call('POST', '/transaction/initialize', {
        email: EMAIL,
        amount: 1,
        ...parameters,
      });
      const page = await fetch(String(body.data['authorization_url']), {
        method: 'POST',
        body: new URLSearchParams({ act }),
        redirect: 'manual',
      });
      return { reference: String(body.data['reference']), page };
    },
    stop: async () => {
      await outbox.stop();
      await server.stop();
      await receiver.stop();
    },
  };
}

async function receive(): Promise<{ url: string; got: Delivered[]; stop(): Promise<void> }> {
  const got: Delivered[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const parsed = JSON.parse(raw.toString()) as { event: string; data: Record<string, unknown> };
      got.push({ ...parsed, raw, headers: request.headers, rawHeaders: request.rawHeaders });
      response.end();
    });
  });
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    got,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

export function only(delivered: readonly Delivered[], event: string): Delivered {
  const [found, ...more] = delivered.filter((d) => d.event === event);
  if (found === undefined || more.length > 0) {
    throw new Error(`Expected one ${event} among ${delivered.map((d) => d.event).join(', ')}.`);
  }
  return found;
}
