import { z } from 'zod';
import type { Instant } from '../domain/instant';
import { retryNow } from '../domain/retry-now';
import { hasEnded } from '../domain/subscription-types';
import { obstacleToWithdrawal, withdrawnFirst } from '../domain/withdrawal';
import type { BilledSubscription } from './billed-subscription';

/** The commands available while a subscription waits, as the API shows them. */
export const waitingCommandsSchema = z
  .object({
    withdraw: z
      .object({
        change: z.enum(['approval', 'scheduled']).meta({
          description: 'What is withdrawn: `pendingApproval` or `scheduledChange`.',
        }),
        available: z.boolean(),
        reason: z.string().nullable().meta({ description: 'Why it is not available now.' }),
        reasonCode: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'Whether the pending change can be withdrawn; null if there is none.' }),
    retry: z.boolean().meta({
      description: 'Whether something waits for another attempt at the provider; a retry runs it now.',
    }),
  })
  .meta({ id: 'WaitingCommands' });

/** @param now the workspace's time */
export function toWaitingCommands(
  row: BilledSubscription,
  now: Instant,
): z.output<typeof waitingCommandsSchema> {
  const change = hasEnded(row.status) ? null : withdrawnFirst(row);
  const obstacle = obstacleToWithdrawal(row, now);
  return {
    withdraw: change && {
      change,
      available: obstacle === null,
      reason: obstacle?.reason ?? null,
      reasonCode: obstacle?.reasonCode ?? null,
    },
    retry: row.provider !== 'internal' && retryNow(row, now) !== null,
  };
}
