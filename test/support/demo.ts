import { randomUUID } from 'node:crypto';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import { openDatabase, openPipelinedPool } from '../../src/db/pools';
import { DEMO_EMAIL, makeDemo, type Demo } from '../../src/embedded/demo/make-demo';
import { createLogger } from '../../src/telemetry/logger';
import { createTestAdapters } from './adapters';
import { Integrator } from './integrator';
import { createClient, logInAs, testPassword, type OperatorClient } from './operator';
import { startTestService, testSecrets, type TestService } from './service';

/** A service that contains the demo, with the simulated providers. */
export interface DemoService {
  service: TestService;
  simulators: RunningSimulators;
  demo: Demo;
  api: Integrator;
  operator: OperatorClient;
  /** Runs the demo setup again, as a process does at its second start. */
  makeAgain(): Promise<Demo>;
  stop(): Promise<void>;
}

export async function startDemoService(): Promise<DemoService> {
  const simulators = await startSimulators();
  const { a, b, c } = simulators.urls;
  const service = await startTestService({
    providerAdapters: createTestAdapters(),
    providerUrls: { provider_a: a, provider_b: b, provider_c: c },
  });
  const demo = await make(service);
  const { console: consoleUrl } = service.urls;
  const cookie = await logInAs(consoleUrl, DEMO_EMAIL, testPassword);
  const workspaceId = demo.organizationId;
  return {
    service,
    simulators,
    demo,
    api: new Integrator(service.urls.sandbox, demo.sandboxKey),
    operator: createClient(consoleUrl, { operatorId: '', email: DEMO_EMAIL, workspaceId, cookie }),
    makeAgain: () => make(service),
    async stop() {
      await simulators.stop();
      await service.stop();
    },
  };
}

async function make(service: TestService): Promise<Demo> {
  const log = createLogger('test', 'silent');
  const options = { max: 2, applicationName: 'test-demo', log };
  const database = openDatabase(service.database.url('tollgate_app'), options);
  const pipelined = openPipelinedPool(service.database.url('tollgate_app'), options);
  const made = await makeDemo({
    database,
    pipelined,
    apiKeyPepper: testSecrets.apiKeyPepper,
    credentialKeys: testSecrets.credentialKeys,
    operatorPassword: testPassword,
    urls: { sandbox: service.urls.sandbox, production: service.urls.production },
    clock: service.clock,
    log,
  });
  await Promise.all([database.destroy(), pipelined.end()]);
  return made;
}

/** Adds what the demo lacks: a checkout and a credit grant for a new customer, and a tested webhook endpoint. */
export async function makeMore({ api }: DemoService): Promise<{ customerId: string }> {
  const externalId = 'with-more';
  const calls: [string, string, object][] = [
    ['PUT', `/v1/customers/${externalId}`, {}],
    ['POST', '/v1/checkouts', { externalId, planSlug: 'pro', provider: 'internal' }],
    ['POST', `/v1/customers/${externalId}/credits`, { amount: 1 }],
  ];
  let customerId = '';
  for (const [method, path, body] of calls) {
    const answer = await api.send(method, path, body, { 'Idempotency-Key': randomUUID() });
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.text}`);
    if (method === 'PUT') customerId = String(answer.body['id']);
  }
  const url = 'https://app.example.com/webhooks';
  const endpoint = await api.send('POST', '/v1/webhook-endpoints', { url });
  const test = `/v1/webhook-endpoints/${String(endpoint.body['id'])}/test`;
  const sent = await api.send('POST', test, undefined, { 'Idempotency-Key': randomUUID() });
  if (sent.status !== 201) throw new Error(`${test} answered ${sent.text}`);
  return { customerId };
}
