import { DAY_MS } from '../../src/domain/instant';
import type { ListedDispute, SettlementFacts } from '../../src/providers/canonical-event';
import type { FakeProvider } from './fake-provider';
import type { WebhookWorkspace } from './webhook-workspace';

const DENIED = { kind: 'declined', code: 'permission_denied', reason: 'It is not permitted.' } as const;

/** Payouts that the fake provider lists. It has their payments only if the test has added them. */
export class CollectedPayouts {
  listed: SettlementFacts[] = [];
  /** Whether the credentials may read the payouts. */
  permitted = true;
  /** What the credentials may not read. */
  withheld: 'payments' | 'disputes' | null = null;
  /** Whether the provider answers when it is asked about a line. */
  answers = true;
  /** Lines that the provider never identifies, as if their amounts were unreadable. */
  readonly unreadable = new Set<string>();
  disputes: ListedDispute[] = [];
  /** References of the lines that the provider was asked about. */
  references: string[] = [];

  constructor(provider: FakeProvider) {
    Object.assign(provider, {
      listSettlements: (_: unknown, { from, to }: { from: number; to: number }) =>
        Promise.resolve(
          this.permitted
            ? {
                kind: 'done',
                value: this.listed.filter(
                  ({ periodEnd }) => Number(periodEnd) >= from && Number(periodEnd) < to,
                ),
              }
            : { kind: 'declined', code: 'not_permitted', reason: 'The report may not be read.' },
        ),
      listDisputes: () =>
        Promise.resolve(this.withheld === 'disputes' ? DENIED : { kind: 'done', value: this.disputes }),
      fetchCollected: (_: unknown, { reference }: { reference: string }) => {
        this.references.push(reference);
        if (!this.answers || this.unreadable.has(reference))
          return Promise.resolve({ kind: 'unknown', reason: 'a time-out' });
        if (this.withheld === 'payments') return Promise.resolve(DENIED);
        const payment = provider.payments.get(reference);
        if (payment === undefined)
          return Promise.resolve({
            kind: 'declined',
            code: 'not_found',
            reason: 'There is no such payment.',
          });
        const references = [{ kind: 'subscription', reference: payment.subscriptionReference }];
        return Promise.resolve({ kind: 'done', value: { payment, references, refunds: [], disputes: [] } });
      },
    });
  }
}

/** Returns a daily payout with a line of 29.00 USD for each payment. */
export function payoutOf(name: string, periodEnd: number, payments: readonly string[]): SettlementFacts {
  return {
    reference: `po_${name}`,
    amount: 2900n * BigInt(payments.length),
    currency: 'USD',
    fees: 0n,
    periodStart: periodEnd - DAY_MS,
    periodEnd,
    lines: payments.map((reference) => ({ kind: 'payment', reference, amount: 2900n, fee: 0n })),
  };
}

/** Backdates the connection, so that the first collection reaches back to its creation and no later one does. */
export async function ageConnection(there: WebhookWorkspace, days = 40): Promise<void> {
  await there.service.database.query(
    'UPDATE tollgate.provider_connections SET created_at = created_at - make_interval(days => $2) WHERE id = $1',
    [there.connection, days],
  );
}

/** Collects the settlements of the workspace's connection. @returns the answer for that connection */
export async function collect(there: WebhookWorkspace): Promise<unknown> {
  const { body } = await there.operator.post('/api/billing/settlements/collect', { body: {} });
  return (body['data'] as unknown[])[0];
}
