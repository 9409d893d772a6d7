import { execFile } from 'node:child_process';
import { mkdtemp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createCustomer, createFeature, createPlan, subscribe } from '../catalog/offer';
import { Integrator } from '../support/integrator';
import { logIn } from '../support/operator';
import type { TestService } from '../support/service';
import { useService } from '../support/use-service';
import { createWorkspace } from '../support/workspace';
import { PYTHON_CHECK, TYPESCRIPT_CONFIG, usesOf } from './client-programs';

/**
 * Clients that integrators generate from the committed documents: they are generated, compiled or imported, and given
 * real answers of the service.
 */
const ROOT = path.join(__dirname, '..', '..');
const hosts = ['api', 'console'] as const;
const documentOf = (host: string): string => path.join(ROOT, 'docs', 'openapi', `${host}.json`);

const service = useService();
let directory: string;
let answers: { subscription: object; decision: object; problem: object };
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'tollgate-clients-'));
  answers = await answersOf(service);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Returns answers of the service: a subscription with nothing scheduled or pending, a check, a refusal. */
async function answersOf({ database, urls }: TestService): Promise<typeof answers> {
  const { workspaceId, sandboxKey } = await createWorkspace(database);
  const client = await logIn(service, { role: 'developer', workspaceId });
  const customer = await createCustomer(client);
  const planId = await createPlan(client, { pricing: 'per_seat' });
  const created = await subscribe(client, { customerId: customer.id, planId, seats: 4 });
  const { body: subscription } = await client.get(`/api/billing/subscriptions/${String(created.body['id'])}`);
  expect(subscription).toMatchObject({ scheduledChange: null, pendingApproval: null });
  const { body: problem } = await client.get('/api/billing/subscriptions', { query: { take: '0' } });
  expect(problem).toMatchObject({ status: 400 });
  const feature = await createFeature(client);
  const integrator = new Integrator(urls.sandbox, sandboxKey);
  const checked = await integrator.check(customer.externalId, feature, 0.5);
  expect(checked.status).toBe(200);
  return { subscription, problem, decision: checked.body };
}

const execute = promisify(execFile);

/** Runs a program; if it fails, the error's message is its output. */
async function run(program: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await execute(program, args, { cwd: directory, maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${path.basename(program)}: ${(stdout ?? '') + (stderr ?? '') || String(error)}`, {
      cause: error,
    });
  }
}

/** Returns the path of a package's program, found by its package.json, because none can be imported here. */
const program = (manifest: string, file: string): string => path.join(path.dirname(manifest), file);
const openapiTypescript = program(require.resolve('openapi-typescript/package.json'), 'bin/cli.js');
const openapiTs = program(require.resolve('@hey-api/openapi-ts/package.json'), 'bin/run.js');
const tsc = program(require.resolve('typescript-7/package.json'), 'bin/tsc');
const inNode = (file: string, ...args: string[]): Promise<string> => run(process.execPath, [file, ...args]);

test('clients by openapi-typescript and @hey-api/openapi-ts compile, and their types take what is answered', async () => {
  const into = path.join(directory, 'typescript');
  await mkdir(into);
  for (const host of hosts) {
    const document = documentOf(host);
    await inNode(openapiTypescript, document, '-o', path.join(into, `${host}-schema.ts`));
    const sdk = ['-i', document, '-o', path.join(into, `${host}-sdk`), '-c', '@hey-api/client-fetch'];
    await inNode(openapiTs, ...sdk, '--no-log-file');
  }
  await writeFile(path.join(into, 'uses.ts'), usesOf(answers));
  await writeFile(path.join(into, 'tsconfig.json'), JSON.stringify(TYPESCRIPT_CONFIG));
  await inNode(tsc, '-p', into);
});

test('clients by openapi-python-client are imported whole, and parse what is answered', async () => {
  const python =
    process.env['CLIENT_PYTHON_PATH'] ??
    (await run(process.execPath, [path.join(ROOT, 'scripts', 'toolchain', 'client-python.mjs')])).trim();
  const into = path.join(directory, 'python');
  await mkdir(into);
  const config = path.join(into, 'config.yml');
  // No formatter, because no person reads the clients.
  await writeFile(config, 'post_hooks: []\n');
  for (const host of hosts) {
    await run(python, [
      ...['-m', 'openapi_python_client', 'generate', '--fail-on-warning', '--meta', 'none'],
      ...['--path', documentOf(host), '--config', config, '--output-path', path.join(into, `${host}_client`)],
    ]);
  }
  await writeFile(path.join(into, 'answers.json'), JSON.stringify(answers));
  await writeFile(path.join(into, 'check.py'), PYTHON_CHECK);
  const imported = JSON.parse(await run(python, [path.join(into, 'check.py')])) as Record<string, number>;
  for (const host of hosts) {
    const files = await readdir(path.join(into, `${host}_client`), { recursive: true });
    const modules = files.filter((file) => file.endsWith('.py') && !file.endsWith('__init__.py'));
    expect([host, imported[host]]).toEqual([host, modules.length]);
  }
});
