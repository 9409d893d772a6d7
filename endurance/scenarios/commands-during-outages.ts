import { logIn } from '../../test/support/operator';
import { injectFaultsUntil } from '../fault-injection';
import type { Scenario } from '../scenario';
import { change, judge, openSubscriptions, sendAgain, untilEnded, type Sent } from '../seat-commands';

/**
 * Changes seats while Temporal is frozen, stopped and killed at random, and now and then a process of the service, too.
 * Each 202 ends on its own, nothing of a 503 was done, and the key of a 503 may be sent again.
 */
export const commandsDuringOutages: Scenario<'sent' | 'subscriptions' | 'atOnce'> = {
  name: 'commands',
  about: 'commands while Temporal is frozen, stopped and killed: each 202 ends, each 503 did nothing',
  fullSize: { sent: 1_000, subscriptions: 60, atOnce: 30 },
  run: async ({ counts, start, log }) => {
    const installation = await start({ processes: ['maintain', 'relay', 'worker', 'api'], temporal: true });
    const { database, urls } = installation;
    const operator = await logIn({ database, urls }, { role: 'admin' });
    const ids = await openSubscriptions(operator, counts.subscriptions);

    const sent: Sent[] = [];
    const trouble = injectFaultsUntil(installation, () => sent.length >= counts.sent);
    let turn = 0;
    const caller = async (): Promise<void> => {
      for (let mine = turn++; mine < counts.sent; mine = turn++) {
        const subscriptionId = ids[mine % ids.length] ?? '';
        sent.push(await change(operator, subscriptionId, 2 + mine));
        if (sent.length % 100 === 0) log(`${sent.length} of ${counts.sent} sent`);
      }
    };
    await Promise.all(Array.from({ length: counts.atOnce }, caller));
    const outages = await trouble;

    log('everything runs again');
    const begun = performance.now();
    const rows = await untilEnded(installation, sent.length);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
    const figures = judge(sent, rows);
    const again = await sendAgain(
      operator,
      sent.filter(({ status }) => status === 503),
    );
    return {
      ...outages,
      ...figures,
      'the last open command had ended after': `${seconds} s`,
      'keys sent again after their 503': again,
    };
  },
};
