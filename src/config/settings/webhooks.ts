import { z } from 'zod';
import { integer } from './formats';

/** Settings of webhooks to integrators. */
export const webhookSettings = {
  TOLLGATE_WEBHOOK_LOOPBACK: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .default(false)
    .describe(
      '`true` allows webhooks to this machine (127.0.0.0/8, `::1`, `localhost`); `npm start` sets it. Set the same value for api and deliver.',
    ),
  TOLLGATE_WEBHOOK_ATTEMPTS: integer(8, 5_000)
    .default(500)
    .describe('Maximum number of webhooks that a deliver process sends at the same time, 8 to 5,000.'),
  TOLLGATE_WEBHOOK_ATTEMPTS_EACH: integer(1, 1_000)
    .default(20)
    .describe('The same per endpoint, 1 to 1,000; a failing endpoint gets one at a time.'),
} as const;
