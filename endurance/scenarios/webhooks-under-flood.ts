import { setTimeout as sleep } from 'node:timers/promises';
import { connect, fakeSecret } from '../../test/connections/connection-calls';
import { CatalogueSeeder } from '../../test/support/catalogue';
import { Integrator } from '../../test/support/integrator';
import { logIn } from '../../test/support/operator';
import { createWorkspace } from '../../test/support/workspace';
import type { Installation } from '../installation';
import type { Figures, Scenario } from '../scenario';
import { ofA, ofB, ofC, Sender, startVerifier, type Sending } from '../webhook-flood';

const OURS = '127.0.0.1';
const STRANGER = '127.0.0.2';

/** Sends forged webhooks, from senders that know a connection's id and from others, with signed ones in between. */
export const webhooksUnderFlood: Scenario<'forgedASecond' | 'seconds' | 'signed'> = {
  name: 'webhooks',
  about: 'forged webhooks in their thousands, with signed ones, check and the console in between',
  fullSize: { forgedASecond: 2_000, seconds: 20, signed: 200 },
  run: async ({ counts, start, log }) => {
    const signature = fakeSecret('signature');
    const verifier = await startVerifier(signature);
    const installation = await start({ processes: [] });
    const api = await installation.startProcess('api', { TOLLGATE_PROVIDER_B_URL: verifier.url });
    const { sandbox } = api.urls;
    const sender = new Sender(sandbox);
    try {
      const ends = await createEnds({ ...installation, urls: api.urls });
      const idle = await latencies(ends, counts.seconds / 4);
      log('the flood begins');
      const flood = new AbortController();
      const forged = sendForged(sender, ends, counts, flood.signal);
      const busy = latencies(ends, counts.seconds, flood.signal);
      const signed = await sendSigned(sender, ends, signature, counts);
      flood.abort();
      const refused = await forged;
      const during = await busy;
      await api.child.stop();
      const counted = await countAudit(installation);
      expectEqual('signed webhooks that were taken', signed[200] ?? 0, counts.signed);
      expectEqual('forged webhooks that were believed', refused[200] ?? 0, 0);
      const audited = Object.entries(refused).flatMap(([status, n]) => (/^(400|503)$/.test(status) ? n : 0));
      expectEqual('refusals that are audited', counted.refused, sum(audited));
      expectEqual('webhooks that were turned away and are counted', counted.turnedAway, refused[429] ?? 0);
      if (counted.rows > 1_000) throw new Error(`The audit has grown by ${counted.rows} rows.`);
      return {
        'forged, by answer': JSON.stringify(refused),
        'signed, by answer': JSON.stringify(signed),
        'audit rows': counted.rows,
        ...named('idle', idle),
        ...named('during the flood', during),
      };
    } finally {
      sender.close();
      verifier.server.close();
    }
  },
};

type Ends = Awaited<ReturnType<typeof createEnds>>;

/** Creates a workspace connected to each provider, and another with many incomplete connections. */
async function createEnds(service: Pick<Installation, 'database' | 'urls'>) {
  const workspace = await createWorkspace(service.database);
  const operator = await logIn(service, { role: 'admin', workspaceId: workspace.workspaceId });
  const other = await logIn(service, { role: 'admin' });
  for (let n = 0; n < 10; n += 1) {
    await connect(other, { secrets: { secretKey: fakeSecret('sk_test_') } });
    await connect(other, { provider: 'provider_c' });
  }
  const secrets = { a: fakeSecret('whsec_'), c: fakeSecret('sk_test_') };
  const ofProviderB = {
    clientId: fakeSecret('client-'),
    clientSecret: fakeSecret('secret-'),
    webhookId: 'WHFAKE0000000001',
  };
  const connections = {
    a: await connect(operator, {
      secrets: { secretKey: fakeSecret('sk_test_'), webhookSecret: secrets.a },
    }),
    b: await connect(operator, { provider: 'provider_b', secrets: ofProviderB }),
    c: await connect(operator, { provider: 'provider_c', secrets: { secretKey: secrets.c } }),
  };
  const seed = new CatalogueSeeder(service.database, workspace.sandbox);
  const plan = await seed.plan('plan', [{ feature: 'feature', quota: 1_000_000 }]);
  await seed.subscription(await seed.customer('acct'), plan, {});
  return {
    secrets,
    connections,
    operator,
    integrator: new Integrator(service.urls.sandbox, workspace.sandboxKey),
  };
}

/** Sends forged webhooks at a constant rate, half of them from the address that the signed ones come from. */
async function sendForged(
  sender: Sender,
  { connections: { a, b, c } }: Ends,
  { forgedASecond }: { forgedASecond: number },
  signal: AbortSignal,
): Promise<Record<number, number>> {
  const kinds: (() => Sending)[] = [
    () => ofA(a, 'whsec_wrong', OURS),
    () => ofA(null, 'whsec_wrong', OURS),
    () => ofC(c, 'sk_wrong', OURS),
    () => ofB(null, 'wrong', OURS),
    () => ofA('conn_unknown', 'whsec_wrong', STRANGER),
    () => ofC(null, 'sk_wrong', STRANGER),
    () => ofB(b, 'wrong', STRANGER),
    () => ({ ...ofA(a, 'whsec_wrong', STRANGER), headers: {} }),
  ];
  const answers: Promise<number>[] = [];
  const begun = performance.now();
  while (!signal.aborted) {
    const due = Math.floor(((performance.now() - begun) / 1_000) * forgedASecond);
    while (answers.length < due) {
      const make = kinds[answers.length % kinds.length];
      if (make !== undefined) answers.push(sender.send(make()));
    }
    await sleep(5);
  }
  return tally(await Promise.all(answers));
}

/** Sends signed webhooks of each provider evenly over the flood, from the address that half of the flood comes from. */
async function sendSigned(
  sender: Sender,
  { connections, secrets }: Ends,
  signature: string,
  { signed, seconds }: { signed: number; seconds: number },
): Promise<Record<number, number>> {
  const kinds = [
    () => ofA(connections.a, secrets.a, OURS),
    () => ofA(null, secrets.a, OURS),
    () => ofB(connections.b, signature, OURS),
    () => ofC(connections.c, secrets.c, OURS),
  ];
  const answers: Promise<number>[] = [];
  for (let n = 0; n < signed; n += 1) {
    const make = kinds[n % kinds.length];
    if (make !== undefined) answers.push(sender.send(make()));
    await sleep((seconds * 1_000) / signed);
  }
  return tally(await Promise.all(answers));
}

interface Latencies {
  check: number[];
  console: number[];
}

/** Measures a check and a page of the console, in milliseconds, for so many seconds or until the end. */
async function latencies(ends: Ends, seconds: number, signal?: AbortSignal): Promise<Latencies> {
  const taken: Latencies = { check: [], console: [] };
  const until = performance.now() + seconds * 1_000;
  while (performance.now() < until && signal?.aborted !== true) {
    for (const [name, call] of [
      ['check', () => ends.integrator.check('acct', 'feature')],
      ['console', () => ends.operator.get('/api/provider-connections')],
    ] as const) {
      const begun = performance.now();
      const { status } = await call();
      if (status !== 200) throw new Error(`The ${name} was answered ${status}.`);
      taken[name].push(performance.now() - begun);
    }
    await sleep(10);
  }
  return taken;
}

async function countAudit({
  database,
}: Pick<Installation, 'database'>): Promise<{ refused: number; turnedAway: number; rows: number }> {
  const [row] = await database.query<{ refused: number; turnedAway: number; rows: number }>(
    `WITH f AS (SELECT sum(count) AS sum, count(*) AS rows FROM tollgate.webhook_failures),
          p AS (SELECT sum(count) FILTER (WHERE action = 'webhook.refused') AS sum,
                       sum(count) FILTER (WHERE action = 'webhook.turned_away') AS away, count(*) AS rows
                  FROM tollgate.platform_audit)
     SELECT (coalesce(f.sum, 0) + coalesce(p.sum, 0))::int AS refused, coalesce(p.away, 0)::int AS "turnedAway",
            (f.rows + p.rows)::int AS rows FROM f, p`,
  );
  if (row === undefined) throw new Error('The audit cannot be read.');
  return row;
}

function named(when: string, { check, console }: Latencies): Figures {
  return { [`check, ${when}`]: percentiles(check), [`console, ${when}`]: percentiles(console) };
}

function percentiles(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms (${sorted.length})`;
}

function tally(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}

function expectEqual(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found} instead of ${expected}.`);
}
