import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Integrator, type Answer } from '../../test/support/integrator';
import { createKey, createWorkspace } from '../../test/support/workspace';
import type { Child } from '../children';
import { addressesOf } from '../fault-injection';
import type { Installation } from '../installation';
import { pollUntil } from '../poll-until';
import type { Scenario } from '../scenario';
import { VerifyingReceiver } from '../verifying-receiver';

const ENDPOINTS = '/v1/webhook-endpoints';
/** Longer than deliver holds a delivery. */
const LEASE = '31 s';

/**
 * Kills an api and two deliver processes in turn while an application causes messages and its receiver refuses some.
 * Each message of an acknowledged act is delivered at least once, signed, with the same id and the same body.
 */
export const webhookKills: Scenario<'kills' | 'atOnce'> = {
  name: 'webhook-kills',
  about:
    'api and deliver killed under webhooks to a receiver that refuses some: each message comes, signed, none is lost',
  fullSize: { kills: 200, atOnce: 8 },
  run: async ({ counts, start, log }) => {
    const receiver = await VerifyingReceiver.start();
    try {
      const installation = await start({ processes: ['deliver', 'api'] });
      const delivers = [installation.child('deliver'), (await installation.startProcess('deliver')).child];
      const { sandbox } = await createWorkspace(installation.database);
      const key = await createKey(installation.database, sandbox, ['webhooks']);
      const api = new Integrator(installation.urls.sandbox, key);
      const made = await api.send('POST', ENDPOINTS, { url: receiver.url });
      receiver.secret = String(made.body['secret']);
      const acts = `${ENDPOINTS}/${String(made.body['id'])}/test`;

      const acknowledged: string[] = [];
      let over = false;
      const caller = async (): Promise<void> => {
        while (!over) {
          acknowledged.push(await act(api, acts));
          await pause(randomInt(5, 40));
        }
      };
      const callers = Promise.all(Array.from({ length: counts.atOnce }, caller));
      // A caller's failure is thrown below, when it is awaited.
      callers.catch(() => undefined);
      try {
        for (let kill = 0; kill < counts.kills; kill += 1) {
          await pause(randomInt(100, 1_000));
          await Promise.race([callers, killOne(installation, delivers, kill)]);
          if ((kill + 1) % 20 === 0) log(`${kill + 1} of ${counts.kills} kills`);
        }
      } finally {
        over = true;
        await callers;
      }
      await delivered(installation, receiver);
      return judge(receiver, acknowledged, counts.kills);
    } finally {
      await receiver.stop();
    }
  },
};

/** Repeats one act with its key until it is answered. @returns its message's id */
async function act(api: Integrator, path: string): Promise<string> {
  const headers = { 'Idempotency-Key': randomUUID() };
  for (;;) {
    const answer = await api
      .send('POST', path, undefined, headers)
      .catch((): Answer | undefined => undefined);
    if (answer?.status === 201) return String(answer.body['messageId']);
    if (answer !== undefined && answer.status !== 503 && answer.status !== 409)
      throw new Error(`An act was answered ${answer.text}`);
    await pause(100);
  }
}

/** Kills a process without warning, and restarts it. */
async function killOne(installation: Installation, delivers: Child[], turn: number): Promise<void> {
  const place = turn % 3;
  if (place === 2) {
    await installation.child('api').kill();
    await installation.startProcess('api', addressesOf(installation.urls));
    return;
  }
  await delivers[place]?.kill();
  delivers[place] = (await installation.startProcess('deliver')).child;
}

/**
 * Waits until nothing remains to be sent. Makes deliveries due now, so as not to wait for long pauses; first also those
 * that are leased, so as not to wait for the leases of killed processes. A living process whose lease is taken sends
 * its delivery once more: doing that at each look, no delivery would end whose attempt takes longer than the pause.
 */
async function delivered({ database }: Installation, receiver: VerifyingReceiver): Promise<void> {
  receiver.refusesOneOf = 1_000_000;
  let leases = '0 s';
  await pollUntil(async () => {
    const left = await database.query(
      `UPDATE tollgate.webhook_deliveries SET next_attempt_at = created_at
        WHERE status = 'pending' AND next_attempt_at > now() + $1::interval RETURNING true`,
      [leases],
    );
    leases = LEASE;
    const pending = await database.query(
      "SELECT FROM tollgate.webhook_deliveries WHERE status = 'pending' LIMIT 1",
    );
    return left.length === 0 && pending.length === 0 ? true : undefined;
  });
}

function judge(receiver: VerifyingReceiver, acknowledged: readonly string[], kills: number) {
  const lost = acknowledged.filter((id) => !receiver.taken.has(id));
  if (lost.length > 0) throw new Error(`${lost.length} messages are lost, such as ${lost[0] ?? ''}.`);
  if (receiver.faults.length > 0) throw new Error(receiver.faults.slice(0, 5).join('\n'));
  const again = [...receiver.taken.values()].filter((times) => times > 1).length;
  return {
    kills,
    messages: acknowledged.length,
    lost: 0,
    'refused by the receiver': receiver.refused,
    'taken more than once': again,
  };
}
