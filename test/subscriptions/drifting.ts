import { randomUUID } from 'node:crypto';
import type { ConsoleAnswer } from '../support/operator';
import { press, type ProviderWorld, type WorldSubscription } from '../support/provider-world';
import { deliverWebhooks } from '../support/deliver-webhooks';

export interface Drift {
  inSync: boolean | null;
  differences: { field: string; local: unknown; provider: unknown; words: string }[];
  unverifiable: { field: string; code: string; reason: string }[];
  atProvider: Record<string, unknown> | null;
}

/** Changes made in the providers' dashboards: three seats of the large plan. */
export const LARGE = {
  provider_a: { planReference: 'price_large', quantity: 3 },
  provider_b: { planReference: 'P-LARGE', quantity: 3 },
};

/** A world whose subscriptions drift from their providers'. */
export class DriftingWorld {
  constructor(readonly world: ProviderWorld) {}

  dropWebhooks(drop: boolean): void {
    this.world.simulators.core.outbox.switches.drop = drop;
  }

  async driftOf(id: string): Promise<Drift> {
    const answer = await this.world.operator.get(path(id));
    expect(answer.status).toBe(200);
    return answer.body as unknown as Drift;
  }

  async fieldsOf(id: string): Promise<string[]> {
    return (await this.driftOf(id)).differences.map(({ field }) => field);
  }

  repair(
    id: string,
    body: { take: 'provider' | 'local'; endMissing?: boolean },
    key: string = randomUUID(),
  ): Promise<ConsoleAnswer> {
    return this.world.operator.post(path(id), { body, headers: { 'Idempotency-Key': key } });
  }

  /** Makes a change as in the provider's own dashboard, without webhooks. */
  async behindOurBack(
    { provider, reference }: WorldSubscription,
    act: 'cancel' | { planReference: string; quantity: number },
  ): Promise<void> {
    this.dropWebhooks(true);
    const { adapter, access } = await this.world.open(provider);
    const sending = { key: randomUUID(), repeated: false, reference };
    const urls = { returnUrl: 'http://127.0.0.1:1/ok', cancelUrl: 'http://127.0.0.1:1/no' };
    const outcome =
      act === 'cancel'
        ? await adapter.cancelSubscription(access, { ...sending, reason: 'Dashboard.' })
        : await adapter.changeSubscription(access, { ...sending, ...urls, ...act, proration: 'none' });
    if (outcome.kind === 'customer_action') await press(outcome.approvalUrl ?? '', { choice: 'approve' });
    else if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
    await deliverWebhooks(this.world.simulators.core.outbox);
  }

  /** Returns the details of the audit records of repairs. */
  async auditOf(id: string): Promise<Record<string, unknown>[]> {
    const rows = await this.world.service.database.query<{ detail: Record<string, unknown> }>(
      `SELECT detail FROM tollgate.audit_records WHERE target = $1 AND action = 'subscription.repaired'`,
      [id],
    );
    return rows.map(({ detail }) => detail);
  }
}

function path(id: string): string {
  return `/api/billing/subscriptions/${id}/drift`;
}
