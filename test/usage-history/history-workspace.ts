import type { Database } from '../../src/db/pools';
import { inWorkspace } from '../../src/db/workspace-transaction';
import { createLogger } from '../../src/telemetry/logger';
import { rollUpUsage } from '../../src/usage-history/roll-up';
import {
  customerDayDifferences,
  customerMonthDifferences,
  customerSumDifferences,
  dimensionDifferences,
  foreignRollups,
  quarterDifferences,
  valueDayDifferences,
  valueQuarterDifferences,
} from '../../src/verification/rollup-verification-store';
import { findUsageToRollUp } from '../../src/usage-history/waiting-usage-store';
import { Integrator } from '../support/integrator';
import { logIn, type OperatorClient } from '../support/operator';
import { until } from '../support/until';
import { UsageWorkspace } from '../support/usage-workspace';
import { createKey } from '../support/workspace';
import { RecordedUses } from './recorded-uses';

const CHECKS = {
  foreignRollups,
  quarterDifferences,
  customerDayDifferences,
  customerMonthDifferences,
  customerSumDifferences,
  valueQuarterDifferences,
  valueDayDifferences,
  dimensionDifferences,
};

export interface SeriesBody {
  from: string;
  to: string;
  timeZone: string;
  quantity: number;
  events: number;
  groups: {
    kind: string;
    key: string | null;
    quantity: number;
    events: number;
    points: { start: string; end: string; quantity: number; events: number }[];
  }[];
}

/** A running service with a workspace whose usage is rolled up only when a test does so. */
export class HistoryWorkspace {
  private constructor(
    readonly world: UsageWorkspace,
    /** Client with a key that may read. */
    readonly api: Integrator,
    readonly operator: OperatorClient,
    /** Connection with the worker's role. */
    readonly worker: Database,
    readonly uses: RecordedUses,
  ) {}

  static async start(): Promise<HistoryWorkspace> {
    const world = await UsageWorkspace.start();
    const { service, workspace } = world;
    const key = await createKey(service.database, workspace.sandbox, ['read']);
    const operator = await logIn(service, { role: 'developer', workspaceId: workspace.workspaceId });
    const worker = service.open('tollgate_worker', 4);
    const uses = new RecordedUses(service.database, workspace.sandbox);
    return new HistoryWorkspace(world, new Integrator(service.urls.sandbox, key), operator, worker, uses);
  }

  rollUp(batch?: number): Promise<void> {
    return rollUpUsage(this.worker, createLogger('test', 'silent'), batch === undefined ? {} : { batch });
  }

  /**
   * Rolls up until nothing is pending. Transactions that other test files have open on the same server hold the
   * oldest transaction back, as a long one in another database does.
   */
  async rollUpAll(): Promise<void> {
    await until(async () => {
      await this.rollUp();
      return (await findUsageToRollUp(this.worker)).length === 0;
    });
  }

  async feature(key: string, dimensions: string[] = []): Promise<string> {
    const { body, status } = await this.operator.post('/api/features', {
      body: { key, name: key, kind: 'metered', dimensions },
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return String(body['id']);
  }

  async series(query: Record<string, string>): Promise<SeriesBody> {
    const answer = await this.api.send('GET', `/v1/usage/series?${new URLSearchParams(query).toString()}`);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body as unknown as SeriesBody;
  }

  /** Returns the differences that the verifier finds in the sums of usage, by check. */
  async differences(): Promise<Partial<Record<keyof typeof CHECKS, string[]>>> {
    const { sandbox } = this.world.workspace;
    return inWorkspace(this.worker, sandbox, 'SYSTEM', async (trx) => {
      const found: Partial<Record<keyof typeof CHECKS, string[]>> = {};
      for (const [name, check] of Object.entries(CHECKS)) {
        const { examples } = await check(trx, sandbox);
        if (examples.length > 0) found[name as keyof typeof CHECKS] = examples;
      }
      return found;
    });
  }

  /** Stops the service. Uses written as rows have no counters, which the verifier reports. */
  stop(): Promise<void> {
    return this.world.service.stop({ differences: true });
  }
}
