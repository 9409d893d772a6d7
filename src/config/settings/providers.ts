import { integer, url } from './formats';

/** Settings of payment providers: simulators in their place, and limits on a connection's calls. */
export const providerSettings = {
  TOLLGATE_SIMULATOR_CONTROL_URL: url
    .optional()
    .describe(
      'URL of the simulators’ control: their clock follows the sandbox’s. Refused if `NODE_ENV` is `production`.',
    ),
  TOLLGATE_PROVIDER_A_URL: url.optional().meta({
    description:
      'URL of a simulator that replaces provider A. Refused if `NODE_ENV` is `production`, like the next two.',
    unset: 'the provider’s',
  }),
  TOLLGATE_PROVIDER_B_URL: url
    .optional()
    .meta({ description: 'The same for provider B.', unset: 'the provider’s' }),
  TOLLGATE_PROVIDER_C_URL: url
    .optional()
    .meta({ description: 'The same for provider C.', unset: 'the provider’s' }),
  // The defaults of unset values are those of src/providers/connection-limits.
  TOLLGATE_PROVIDER_CALLS_AT_ONCE: integer(1, 1_000)
    .optional()
    .meta({ description: 'Maximum number of concurrent calls of a connection, 1 to 1,000.', unset: '`8`' }),
  TOLLGATE_PROVIDER_CALLS_WAITING: integer(0, 100_000).optional().meta({
    description: 'Maximum number of calls in a connection’s queue, 0 to 100,000; further calls are rejected.',
    unset: '`100`',
  }),
  TOLLGATE_PROVIDER_CALLS_A_SECOND_SANDBOX: integer(1, 10_000).optional().meta({
    description: 'Maximum number of calls per second of a connection of the sandbox, 1 to 10,000.',
    unset: '`25`',
  }),
  TOLLGATE_PROVIDER_CALLS_A_SECOND_LIVE: integer(1, 10_000)
    .optional()
    .meta({ description: 'The same for production.', unset: '`50`' }),
  TOLLGATE_PROVIDER_CALLS_LONGEST_WAIT_SECONDS: integer(1, 60).optional().meta({
    description:
      'Maximum time that a call waits in the queue, 1 to 60; a call that would wait longer is rejected.',
    unset: '`10`',
  }),
  TOLLGATE_PROVIDER_CALLS_TIMEOUT_SECONDS: integer(1, 18)
    .optional()
    .meta({ description: 'Time-out of a call to the provider, 1 to 18.', unset: '`15`' }),
} as const;
