import { z } from 'zod';
import { timeSchema } from '../schemas/instant';

const count = z.int().min(0);

/** State of the credential migration. */
export const credentialReportSchema = z
  .object({
    pending: count.meta({
      description: 'The sum of the next five. Remove a key only when another one is active and this is 0.',
    }),
    oldKey: count.meta({ description: 'Connections whose envelope is not under the active key.' }),
    legacy: count.meta({
      description: 'Connections without an envelope whose secrets are in public settings.',
    }),
    publicSecrets: count.meta({
      description: 'Connections with an envelope that also have secrets in public settings.',
    }),
    oldSecondFactors: count.meta({
      description: 'Second factors of operators whose secret is not under the active key.',
    }),
    endpointSecrets: count.meta({
      description: 'Webhook endpoints with a secret that is not under the active key.',
    }),
    connections: count,
    secondFactors: count,
    activeKeyId: z.string().nullable().meta({ description: 'The key that new secrets are encrypted with.' }),
    keys: z.array(
      z.object({
        id: z.string(),
        active: z.boolean(),
        envelopes: count,
        heldByAll: z
          .boolean()
          .meta({ description: 'Whether every running process holds it with the same bytes.' }),
        mismatch: z.boolean().meta({
          description:
            'Whether a running process has different bytes under this id than another process, or than those that sealed the stored secrets; it seals nothing with them.',
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
        migrated: count.meta({ description: 'Connections and webhook endpoints changed.' }),
        scrubbed: count.meta({
          description: 'Of those, connections whose public settings held a secret.',
        }),
        skipped: count.meta({ description: 'Those skipped because their envelope could not be opened.' }),
        startedAt: timeSchema,
        updatedAt: timeSchema,
      })
      .nullable()
      .meta({ description: 'The latest run.' }),
  })
  .meta({ id: 'CredentialReport' });
export type CredentialReport = z.output<typeof credentialReportSchema>;
