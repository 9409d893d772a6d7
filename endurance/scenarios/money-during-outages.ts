import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { startSimulators, type RunningSimulators } from '../../simulators/start';
import type { Installation } from '../installation';
import { judge, send, type EndedOperation, type SentCommand } from '../money-commands';
import type { Scenario } from '../scenario';
import { Shop } from '../shop';
import { injectFaultsUntil } from '../fault-injection';
import { pollUntil } from '../poll-until';
import { verified } from '../verified';

/**
 * Refunds at A, B and C, changes of seats at A and in local billing, and renewals at all of them, while the service's
 * processes and Temporal are killed, Postgres ends its sessions, and the providers are slow, broken or cut off.
 */
export const moneyDuringOutages: Scenario<'sent' | 'subscriptions' | 'atOnce' | 'faults'> = {
  name: 'money',
  about: 'money at providers while everything is killed: done exactly once, or not at all',
  // After some tries, an unknown outcome at a provider is polled again only five minutes later: few faults keep a run
  // short.
  fullSize: { sent: 400, subscriptions: 8, atOnce: 12, faults: 5 },
  run: async ({ counts, start, log }) => {
    const simulators = await startSimulators({ retryDelaysMs: [500, 1_000, 2_000, 5_000, 10_000, 30_000] });
    try {
      const installation = await start({
        processes: ['maintain', 'relay', 'worker', 'api'],
        temporal: true,
        simulators: simulators.urls,
      });
      const shop = await Shop.open(installation, simulators, counts.subscriptions);
      log('sold');
      const sent: SentCommand[] = [];
      const further = {
        'sessions of Postgres ended': () => endSessions(installation),
        'providers in trouble': () => injectProviderFaults(simulators, counts.faults),
      };
      const trouble = injectFaultsUntil(installation, () => sent.length >= counts.sent, further);
      let turn = 0;
      const caller = async (): Promise<void> => {
        for (let mine = turn++; mine < counts.sent; mine = turn++) {
          if (mine === Math.floor(counts.sent / 2)) await shop.renew();
          sent.push(await send(shop.operator, shop.command(mine)));
          if (sent.length % 50 === 0) log(`${sent.length} of ${counts.sent} sent`);
        }
      };
      await Promise.all(Array.from({ length: counts.atOnce }, caller));
      const outages = await trouble;
      simulators.core.faults.clear();
      shop.forgetKeysOfA();
      log('everything runs again');
      const operations = await untilEnded(installation);
      await shop.settle();
      const { broken, counted } = judge(sent, operations, shop.books());
      broken.push(...(await shop.differences()), ...(await verified(installation)));
      if (broken.length > 0) throw new Error(broken.join('\n'));
      return { ...outages, ...counted };
    } finally {
      await simulators.stop();
    }
  },
};

async function endSessions({ database }: Installation): Promise<void> {
  await database.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename LIKE 'tollgate%'`,
  );
}

/** @param most how many requests of a provider may meet a fault */
async function injectProviderFaults({ core: { faults } }: RunningSimulators, most: number): Promise<void> {
  for (const provider of ['a', 'b', 'c'] as const) {
    const kinds = ['slow', 'answer_500', 'cut_after_commit'] as const;
    const fault = kinds[randomInt(0, kinds.length)] ?? 'slow';
    const path = provider === 'c' ? '/refund' : '/v1';
    faults.set({ provider, path, fault, times: randomInt(1, most + 1), delayMs: randomInt(500, 4_000) });
  }
  await pause(randomInt(100, 1_000));
}

/** Waits without sending anything: operations must end on their own. */
async function untilEnded({ database, failure }: Installation): Promise<EndedOperation[]> {
  const ended = pollUntil(async () => {
    const rows = await database.query<EndedOperation>(
      `SELECT o.id, o.idempotency_key AS key, o.status,
              coalesce((SELECT max(n) FROM (
                 SELECT count(*)::int AS n FROM tollgate.subscription_history h
                  WHERE h.subscription_id = o.subscription_id AND h.data ->> 'operationId' = o.id
                  GROUP BY h.kind) AS kinds), 0) AS done
         FROM tollgate.operations o`,
    );
    return rows.some(({ status }) => status === 'pending' || status === 'accepted') ? undefined : rows;
  });
  return Promise.race([failure, ended]);
}
