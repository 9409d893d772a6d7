import type { Database } from '../../src/db/pools';
import { rebuildRollups } from '../../src/usage-history/rebuild-rollups';
import { HistoryWorkspace } from './history-workspace';

const T = Date.parse('2026-05-05T10:00:00Z');
const DAY = { interval: 'day', from: '2026-05-05T00:00:00Z', to: '2026-05-06T00:00:00Z', timeZone: 'UTC' };

let history: HistoryWorkspace;
beforeEach(async () => {
  history = await HistoryWorkspace.start();
});
afterEach(() => history.stop());

/** The database, with an action of another process inserted before one of its transactions. */
class InterruptedDatabase {
  private begun = 0;

  constructor(
    private readonly real: Database,
    private readonly before: number,
    private readonly interrupt: () => Promise<void>,
  ) {}

  get wasInterrupted(): boolean {
    return this.begun > this.before;
  }

  get database(): Database {
    return new Proxy(this.real, {
      get: (target, name) => {
        if (name !== 'transaction') return Reflect.get(target, name) as unknown;
        return async (...args: Parameters<Database['transaction']>): Promise<unknown> => {
          if (this.begun++ === this.before) await this.interrupt();
          return target.transaction(...args);
        };
      },
    });
  }
}

test.each([false, true])(
  'two rebuilds at once (restored: %s) count no use twice, wherever the other comes between',
  async (restored) => {
    const { worker, world, uses } = history;
    const feature = await history.feature('tokens', ['model']);
    const customer = await world.seed.customer('ann');
    for (let n = 0; n < 5; n += 1) {
      await uses.add(customer, feature, 10, T + n * 60_000, { properties: { model: 'a' } });
    }
    await history.rollUpAll();
    const { sandbox } = world.workspace;
    const sum = async (): Promise<number[]> => {
      const { quantity, events } = await history.series(DAY);
      return [quantity, events];
    };
    const rebuildAndRollUp = async (): Promise<void> => {
      await rebuildRollups(worker, sandbox, { restored });
      await history.rollUpAll();
    };
    let before = 0;
    for (let isOver = false; !isOver; before += 1) {
      const interrupted = new InterruptedDatabase(worker, before, rebuildAndRollUp);
      await rebuildRollups(interrupted.database, sandbox, { restored });
      await history.rollUpAll();
      expect([before, ...(await sum())]).toEqual([before, 50, 5]);
      expect(await history.differences()).toEqual({});
      isOver = !interrupted.wasInterrupted;
    }
    expect(before).toBeGreaterThan(3);
  },
);
