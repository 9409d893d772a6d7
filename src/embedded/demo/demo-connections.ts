import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { createConnectionInput, updateConnectionInput } from '../../connections/connection-resource';
import type { ProviderConnections } from '../../connections/connection-service';
import type { Actor } from '../../tenancy/actor';
import { planReferences } from './demo-plan-references';
import type { PaymentProvider } from '../../domain/provider';

const connection = <Members extends z.ZodRawShape>(secrets: Members) =>
  z.object({ id: z.string(), secrets: z.object(secrets) });

/** The demo's connections with their secrets, which are also configured in the simulators. */
export const demoConnectionsSchema = z.object({
  provider_a: connection({ secretKey: z.string(), webhookSecret: z.string() }),
  provider_b: connection({ clientId: z.string(), clientSecret: z.string(), webhookId: z.string() }),
  provider_c: connection({ secretKey: z.string() }),
});
export type DemoConnections = z.output<typeof demoConnectionsSchema>;

const NAMES: Record<PaymentProvider, string> = {
  provider_a: 'Provider A (simulated)',
  provider_b: 'Provider B (simulated)',
  provider_c: 'Provider C (simulated)',
};
/** Exceeds the number of connections of the demo, which are the newest of a new installation. */
const SEARCHED = 200;

/**
 * Creates a connection for each provider, with new random secrets, because a guessed secret could sign webhooks. A
 * connection of an earlier start, whose secrets are lost, gets the new ones.
 */
export async function connectDemoProviders(
  connections: ProviderConnections,
  actor: Actor,
): Promise<DemoConnections> {
  const connect = async <Secrets extends Record<string, string>>(
    provider: PaymentProvider,
    secrets: Secrets,
  ): Promise<{ id: string; secrets: Secrets }> => {
    const { data } = await connections.list(actor.scope, { provider, take: SEARCHED });
    const known = data.find(({ displayName, disabledAt }) => {
      return displayName === NAMES[provider] && disabledAt === null;
    });
    const input = {
      displayName: NAMES[provider],
      settings: { planReferences: planReferences(provider) },
      secrets,
    };
    const { id } =
      known === undefined
        ? await connections.create(actor, createConnectionInput.parse({ provider, ...input }))
        : await connections.update(actor, known.id, updateConnectionInput.parse(input));
    return { id, secrets };
  };
  return {
    provider_a: await connect('provider_a', {
      secretKey: `sk_test_${random()}`,
      webhookSecret: `whsec_${random()}`,
    }),
    provider_b: await connect('provider_b', {
      clientId: `demo-client-${random()}`,
      clientSecret: random(),
      webhookId: random().toUpperCase(),
    }),
    provider_c: await connect('provider_c', { secretKey: `sk_test_${random()}` }),
  };
}

function random(): string {
  return randomBytes(16).toString('hex');
}
