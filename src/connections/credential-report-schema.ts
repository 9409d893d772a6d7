import { z } from 'zod';
import { timeSchema } from '../schemas/instant';

const count = z.int().min(0);

/** Where the migration of credentials stands. */
export const credentialReportSchema = z
  .object({
    pending: count.meta({
      description: 'The sum of the next four. A key may go only when another one is active and this is 0.',
    }),
    oldKey: count.meta({ description: 'Connections whose envelope is not under the active key.' }),
    legacy: count.meta({
      description: 'Connections without an envelope whose secrets stand in public settings.',
    }),
    publicSecrets: count.meta({
      description: 'Connections with an envelope, and secrets in public settings too.',
    }),
    oldSecondFactors: count.meta({
      description: 'Second factors of operators whose secret is not under the active key.',
    }),
    endpointSecrets: count.meta({
      description: 'Webhook endpoints with a secret that is not under the active key.',
    }),
    connections: count,
    secondFactors: count,
    activeKeyId: z.string().nullable().meta({ description: 'The key that writes.' }),
    keys: z.array(
      z.object({
        id: z.string(),
        active: z.boolean(),
        envelopes: count,
        heldByAll: z.boolean().meta({ description: 'Whether every running process holds it, the same one.' }),
        mismatch: z.boolean().meta({
          description:
            'Whether a running process has other bytes under this id than another one, or than those that sealed what is stored; it seals nothing with them.',
        }),
      }),
    ),
    runtimes: z.array(
      z.object({ id: z.string(), process: z.string(), keyIds: z.array(z.string()), seenAt: timeSchema }),
    ),
    migration: z
      .object({
        id: z.string(),
        keyId: z.string(),
        status: z.enum(['running', 'complete', 'failed']),
        migrated: count.meta({ description: 'Connections and webhook endpoints that it has changed.' }),
        scrubbed: count.meta({
          description: 'Those connections of them whose public settings held a secret.',
        }),
        skipped: count.meta({ description: 'Those that it had to leave: their envelope does not open.' }),
        startedAt: timeSchema,
        updatedAt: timeSchema,
      })
      .nullable()
      .meta({ description: 'The latest run.' }),
  })
  .meta({ id: 'CredentialReport' });
export type CredentialReport = z.output<typeof credentialReportSchema>;
