import { DAY_MS } from '../../src/domain/instant';
import { logIn } from '../../test/support/operator';
import { kill } from '../fault-injection';
import { moveClock } from '../move-clock';
import type { Scenario } from '../scenario';
import { change, judge, openSubscriptions, sendAgain, untilEnded, type Sent } from '../seat-commands';
import { renewedOnce } from '../renewals';

/** How often the clock advances by a period while processes are killed. */
const PERIODS = 4;
const MONTH = 31 * DAY_MS;

/**
 * Kills worker, Temporal, api and relay in turn while seats change and periods end. Each accepted command has its
 * effect once, each refused one has none, and each period is charged once.
 */
export const kills: Scenario<'kills' | 'subscriptions' | 'atOnce'> = {
  name: 'kills',
  about: 'worker, Temporal, api and relay killed under commands and renewals: each effect once',
  fullSize: { kills: 200, subscriptions: 60, atOnce: 8 },
  run: async ({ counts, start, log }) => {
    const installation = await start({ processes: ['maintain', 'relay', 'worker', 'api'], temporal: true });
    const { database, urls } = installation;
    const operator = await logIn({ database, urls }, { role: 'admin' });
    const ids = await openSubscriptions(operator, counts.subscriptions);

    const sent: Sent[] = [];
    let over = false;
    let turn = 0;
    const caller = async (): Promise<void> => {
      while (!over) {
        const mine = turn++;
        sent.push(await change(operator, ids[mine % ids.length] ?? '', 2 + mine));
      }
    };
    const callers = Promise.all(Array.from({ length: counts.atOnce }, caller));
    // A caller's failure is thrown below, when it is awaited.
    callers.catch(() => undefined);
    const killed: Record<string, number> = {};
    try {
      for (let period = 0; period < PERIODS; period += 1) {
        const share = Math.floor(((period + 1) * counts.kills) / PERIODS) - total(killed);
        const [counted] = await Promise.all([
          kill(installation, share),
          moveClock(installation, operator, MONTH),
        ]);
        for (const [what, count] of Object.entries(counted)) killed[what] = (killed[what] ?? 0) + count;
        log(`${total(killed)} of ${counts.kills} kills`);
      }
    } finally {
      over = true;
      await callers;
    }
    log('everything runs again');
    const rows = await untilEnded(installation, sent.length);
    const figures = judge(sent, rows);
    const unavailable = sent.filter(({ status }) => status === 503);
    return {
      ...killed,
      'kills in all': total(killed),
      ...figures,
      'keys sent again after their 503': await sendAgain(operator, unavailable),
      'periods renewed, each once': await renewedOnce(installation, operator),
    };
  },
};

const total = (counted: Readonly<Record<string, number>>): number =>
  Object.values(counted).reduce((sum, count) => sum + count, 0);
