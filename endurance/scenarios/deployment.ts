import { DAY_MS } from '../../src/domain/instant';
import { logIn } from '../../test/support/operator';
import { earlierBuild } from '../earlier-build';
import { moveClock } from '../move-clock';
import { renewedOnce } from '../renewals';
import type { Scenario } from '../scenario';
import { change, judge, openSubscriptions, untilEnded, type Sent } from '../seat-commands';
import { workflowTasks } from '../workflow-tasks';

const MONTH = 31 * DAY_MS;

/**
 * A worker of an earlier version and one of this version serve the same queues, as during a deployment: commands run
 * and periods end before, during and after it. No subscription is stuck, and each effect occurs once.
 * `ENDURANCE_DEPLOYMENT_EARLIER` names the `dist` folder of a real earlier version; without it, the earlier worker is
 * this version's, with workflows that know no later patch.
 */
export const deployment: Scenario<'subscriptions' | 'rounds' | 'atOnce'> = {
  name: 'deployment',
  about: 'workers of an earlier version and of this side by side: nothing is stuck, each effect once',
  fullSize: { subscriptions: 500, rounds: 2, atOnce: 12 },
  run: async ({ counts, start, log }) => {
    const installation = await start({ processes: ['maintain', 'relay', 'api'], temporal: true });
    const { database, urls, startProcess, temporalAddress } = installation;
    const earlier = await earlierBuild(process.env['ENDURANCE_DEPLOYMENT_EARLIER']);
    try {
      const { child: old } = await startProcess('worker', {}, earlier.directory);
      const operator = await logIn({ database, urls }, { role: 'admin' });
      const ids = await openSubscriptions(operator, counts.subscriptions);
      const sent: Sent[] = [];
      let seats = 1;
      /** Sends one command for each subscription. @returns how long each took (milliseconds) */
      const commandAll = async (): Promise<number[]> => {
        seats += 1;
        const times: number[] = [];
        let next = 0;
        const caller = async (): Promise<void> => {
          for (let id = ids[next++]; id !== undefined; id = ids[next++]) {
            const begun = performance.now();
            sent.push(await change(operator, id, seats));
            times.push(performance.now() - begun);
          }
        };
        await Promise.all(Array.from({ length: counts.atOnce }, caller));
        return times;
      };

      const before = await commandAll();
      log('the earlier worker alone has had its commands');
      await startProcess('worker');
      const meanwhile: number[] = [];
      for (let round = 0; round < counts.rounds; round += 1) {
        const [times] = await Promise.all([commandAll(), moveClock(installation, operator, MONTH)]);
        meanwhile.push(...times);
        log(`${round + 1} of ${counts.rounds} rounds side by side`);
      }
      const mixed = await untilEnded(installation, sent.length);
      await old.stop();
      const [after] = await Promise.all([commandAll(), moveClock(installation, operator, MONTH)]);
      const rows = await untilEnded(installation, sent.length);
      const figures = judge(sent, rows);
      const renewed = await renewedOnce(installation, operator);
      const { delays, stuck, ...tasks } = await workflowTasks(temporalAddress);
      if (stuck.length > 0) throw new Error(`Nobody has taken these up: ${stuck.join(', ')}`);
      const p = (times: readonly number[]): string =>
        `${quantile(times, 0.5)} / ${quantile(times, 0.95)} / ${quantile(times, 1)}`;
      return {
        ...figures,
        'commands that ended while both ran': mixed.length - counts.subscriptions,
        'periods renewed, each once': renewed,
        'runs of subscriptions': tasks.runs,
        'of them in the newer shape': tasks.withMarkers,
        'tasks that a worker could not replay': tasks.notReplayed,
        'tasks that timed out': tasks.timedOut,
        'from a task not replayed until the run went on, p50 / p95 / longest (ms)': p(delays),
        'answers with the earlier worker, p50 / p95 / longest (ms)': p(before),
        'answers with both': p(meanwhile),
        'answers with the newer one': p(after),
      };
    } finally {
      await earlier.remove();
    }
  },
};

function quantile(times: readonly number[], share: number): string {
  const sorted = [...times].sort((one, other) => one - other);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
}
