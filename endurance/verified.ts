import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../src/clock/system-clock';
import { openDatabase } from '../src/db/pools';
import { createLogger } from '../src/telemetry/logger';
import { createTemporalClient } from '../src/temporal/client';
import { createWorkflowProbe } from '../src/temporal/workflow-probe';
import { verifyAll } from '../src/verification/verify';
import type { Installation } from './installation';

/**
 * Returns the findings of `npm run verify`, including the workflows if there is a Temporal; empty if everything agrees.
 */
export async function verified({ database, temporalAddress }: Installation): Promise<string[]> {
  const client =
    temporalAddress === ''
      ? undefined
      : createTemporalClient({ address: temporalAddress, namespace: 'default' });
  const log = createLogger('endurance', 'silent');
  const app = openDatabase(database.url('tollgate_app'), { max: 1, applicationName: 'endurance', log });
  try {
    const found: string[] = [];
    const workflows = client && {
      isRunning: createWorkflowProbe(client, systemClock),
      clock: systemClock,
      pause: () => pause(3_000),
    };
    for await (const { examples } of verifyAll(app, workflows)) found.push(...examples);
    return found;
  } finally {
    await app.destroy();
    await client?.connection.close();
  }
}
