import { setTimeout as pause } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import type { WebhookRecord } from '../../simulators/core/types';
import { systemClock } from '../../src/clock/system-clock';
import { createKeyRing } from '../../src/credentials/key-ring';
import { openDatabase } from '../../src/db/pools';
import type { CommandSender } from '../../src/operations/command-sender';
import { createWorkerActivities } from '../../src/service/worker-activities';
import { createLogger } from '../../src/telemetry/logger';
import { createCommandSender } from '../../src/temporal/command-sender';
import { billingQueue, providersQueue } from '../../src/temporal/task-queues';
import { DAY_MS } from '../../src/domain/instant';
import { searchAttributeKeys } from '../../workflows/search-attributes';
import { ProviderWorld } from '../support/provider-world';
import { testSecrets } from '../support/service';
import { startTimeSkippingServer } from '../support/time-skipping-server';
import { workflowsInThread } from '../support/workflow-bundle';
import { startRelay, TEST_URLS } from './installation';
import { deliverWebhooks } from '../support/deliver-webhooks';

const log = createLogger('test', process.env['TOLLGATE_TEST_LOG'] ?? 'fatal');
const END_TIMEOUT_MS = 300_000;
/** Real time in which the server must skip some of its own. */
const STALL_MS = 60_000;
/** `INDEXED_VALUE_TYPE_KEYWORD`. */
const KEYWORD = 2;

/**
 * A service, its workflows and the simulated providers on Temporal's time-skipping server. All share one time: before
 * any action, the service's and the providers' clocks move to the server's time, and the providers send the webhooks of
 * what fell due.
 */
export class SkippedYears {
  private ahead = 0;
  /** All webhooks of the providers so far, because the outbox drops the oldest. */
  readonly webhooks = new Map<string, Pick<WebhookRecord, 'provider' | 'body'>>();
  private readonly ends: { name: string; end: () => Promise<void> }[] = [];

  private constructor(
    readonly environment: TestWorkflowEnvironment,
    private started: ProviderWorld | undefined,
  ) {}

  static async start(): Promise<SkippedYears> {
    Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
    const environment = await startTimeSkippingServer();
    await environment.connection.operatorService.addSearchAttributes({
      namespace: 'default',
      searchAttributes: Object.fromEntries(searchAttributeKeys.map(({ name }) => [name, KEYWORD])),
    });
    const years = new SkippedYears(environment, undefined);
    years.ends.push({ name: 'time-skipping server', end: () => environment.teardown() });
    const commands = (): CommandSender => createCommandSender(environment.client, systemClock);
    const world = await ProviderWorld.start({ commands, now: () => years.now() });
    years.started = world;
    years.ends.unshift({ name: 'service', end: () => world.stop() });
    await years.work(world);
    return years;
  }

  async stop(): Promise<void> {
    for (const { name, end } of this.ends) await inTime(name, end());
  }

  get world(): ProviderWorld {
    if (this.started === undefined) throw new Error('The world has not begun.');
    return this.started;
  }

  now(): number {
    return Date.now() + this.ahead;
  }

  /**
   * Advances time, as quickly as the work due in the meantime allows: a week at a time while more than nine days
   * remain, when a period merely runs, and then a day at a time.
   */
  async passTo(instant: number): Promise<void> {
    for (;;) {
      const left = instant - (await this.environment.currentTimeMs());
      if (left <= 0) break;
      await this.sleep(left > 9 * DAY_MS ? 7 * DAY_MS : Math.min(left, DAY_MS));
      await this.meet();
    }
    await this.meet();
  }

  /** Moves the service and the providers to the server's time, and delivers the providers' webhooks. */
  async meet(): Promise<void> {
    const there = await this.environment.currentTimeMs();
    this.ahead = Math.max(this.ahead, there - Date.now());
    this.world.service.clock.ahead = this.ahead;
    const { clock, outbox } = this.world.simulators.core;
    await clock.catchUp();
    await deliverWebhooks(outbox);
    for (const delivery of outbox.deliveries) this.webhooks.set(delivery.id, delivery);
  }

  /**
   * Sleeps in the server's time. The server can keep the lock of an activity that has timed out, or whose workflow has
   * ended, and then no longer skips time (temporalio/sdk-java issues 2246 and 1138). After a minute in which its time
   * passed no faster than real time, a lock is released.
   */
  private async sleep(milliseconds: number): Promise<void> {
    const { environment } = this;
    let before = await environment.currentTimeMs();
    const sleeping = environment.sleep(milliseconds);
    while (!(await endsWithin(STALL_MS, sleeping))) {
      const now = await environment.currentTimeMs();
      if (now - before < 2 * STALL_MS) await environment.connection.testService?.unlockTimeSkipping({});
      before = now;
    }
  }

  private async work(world: ProviderWorld): Promise<void> {
    const { environment } = this;
    const url = world.service.database.url('tollgate_worker');
    const database = openDatabase(url, { max: 6, applicationName: 'test', log });
    const { a, b, c } = world.simulators.urls;
    const { billing, providers } = createWorkerActivities({
      database,
      client: environment.client,
      clock: { now: () => this.now() },
      keyRing: createKeyRing(testSecrets.credentialKeys),
      providerUrls: { provider_a: a, provider_b: b, provider_c: c },
      urls: TEST_URLS,
    });
    const shared = {
      connection: environment.nativeConnection,
      identity: 'test',
      shutdownGraceTime: '5s',
      shutdownForceTime: '1m',
    } as const;
    const relay = startRelay(world.service.database, environment.address);
    const workers = [
      await Worker.create({
        ...shared,
        ...(await workflowsInThread()),
        taskQueue: billingQueue('sandbox'),
        activities: this.inTime(billing),
      }),
      await Worker.create({
        ...shared,
        taskQueue: providersQueue('sandbox'),
        activities: this.inTime(providers),
      }),
    ];
    const running = workers.map((worker) => worker.run());
    const endWorkers = async (): Promise<void> => {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await database.destroy();
    };
    this.ends.unshift({ name: 'relay', end: () => relay.stop() }, { name: 'workers', end: endWorkers });
  }

  /** Wraps activities so that all clocks first move to the time at which the workflow scheduled the activity. */
  private inTime(activities: object): Record<string, (...args: unknown[]) => Promise<unknown>> {
    const wrapped = Object.entries(activities).map(([name, perform]: [string, unknown]) => {
      if (!isActivity(perform)) throw new Error(`${name} is no activity.`);
      const inTime = async (...args: unknown[]): Promise<unknown> => {
        await this.meet();
        return perform(...args);
      };
      return [name, inTime] as const;
    });
    return Object.fromEntries(wrapped);
  }
}

/** Waits for the end of one part. @throws Error that names the part, which a hook's own time-out does not */
async function inTime(name: string, end: Promise<void>): Promise<void> {
  if (!(await endsWithin(END_TIMEOUT_MS, end))) throw new Error(`The ${name} did not stop.`);
}

/** Returns whether it ends in time; rejects with it. */
async function endsWithin(milliseconds: number, ending: Promise<void>): Promise<boolean> {
  const waited = new AbortController();
  const late = pause(milliseconds, false, { signal: waited.signal }).catch(() => false);
  try {
    return await Promise.race([ending.then(() => true), late]);
  } finally {
    waited.abort();
  }
}

function isActivity(value: unknown): value is (...args: unknown[]) => Promise<unknown> {
  return typeof value === 'function';
}
