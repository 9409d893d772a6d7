import { integer, url } from './formats';

/** Settings of payment providers: simulators in their place, and limits on a connection's calls. */
export const providerSettings = {
  TOLLGATE_SIMULATOR_CONTROL_URL: url
    .optional()
    .describe(
      'The simulators’ control: their clock follows the sandbox’s. Refused where `NODE_ENV` is `production`.',
    ),
  TOLLGATE_PROVIDER_A_URL: url.optional().meta({
    description:
      'A simulator in place of provider A. Refused where `NODE_ENV` is `production`, as are the next two.',
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
    .meta({ description: 'Concurrent calls of a connection, 1 to 1,000.', unset: '`8`' }),
  TOLLGATE_PROVIDER_CALLS_WAITING: integer(0, 100_000).optional().meta({
    description: 'Calls of a connection that wait in its queue, 0 to 100,000; further calls are rejected.',
    unset: '`100`',
  }),
  TOLLGATE_PROVIDER_CALLS_A_SECOND_SANDBOX: integer(1, 10_000).optional().meta({
    description: 'Calls that a connection of the sandbox starts in a second, 1 to 10,000.',
    unset: '`25`',
  }),
  TOLLGATE_PROVIDER_CALLS_A_SECOND_LIVE: integer(1, 10_000)
    .optional()
    .meta({ description: 'The same for production.', unset: '`50`' }),
  TOLLGATE_PROVIDER_CALLS_LONGEST_WAIT_SECONDS: integer(1, 60).optional().meta({
    description: 'How long a call may wait for its turn, 1 to 60; one that would wait longer is rejected.',
    unset: '`10`',
  }),
  TOLLGATE_PROVIDER_CALLS_TIMEOUT_SECONDS: integer(1, 18)
    .optional()
    .meta({ description: 'How long the provider may take over a call, 1 to 18.', unset: '`15`' }),
} as const;
