import { TollgateError } from '../../src/domain/errors';
import type { RefundAnswer } from '../../src/payments/refund-outcome';
import { refusalFailure } from '../../src/temporal/refusal';
import type { ProviderActivities, RefundActivities, RefundView } from '../../workflows/activity-types';

/** A refund in memory, and a provider with scripted answers. */
export class FakeRefund {
  view: RefundView | null = null;
  /** The provider's next answers, in order; later ones are `done`. An error is thrown. */
  answers: (RefundAnswer | Error)[] = [];
  /** The refunds requested from the provider. */
  readonly requests: string[] = [];
  /** The outcomes recorded, and for which command. */
  readonly completed: { outcome: RefundAnswer['kind']; operationId: string | null }[] = [];
  refused = false;

  readonly activities: RefundActivities = {
    // oxlint-disable-next-line typescript/require-await -- what it throws is to be a rejection
    reserveRefund: async ({ refundId, attempt }) => {
      if (this.refused) throw refusalFailure(new TollgateError('service_busy', 'No.'), attempt);
      if (this.view?.status === 'succeeded' || this.view?.status === 'failed') return null;
      this.view ??= pendingRefund(refundId);
      return this.view;
    },
    loadRefund: () => Promise.resolve(this.view),
    completeRefund: ({ outcome, command }) => {
      this.completed.push({ outcome: outcome.kind, operationId: command?.operationId ?? null });
      if (this.view !== null) this.view = { ...this.view, ...after(outcome) };
      return Promise.resolve(this.view);
    },
  };

  readonly providers: Pick<ProviderActivities, 'refundAtProvider'> = {
    // Like the real one, it records the provider's answer before it returns.
    refundAtProvider: ({ refundId }) => {
      this.requests.push(refundId);
      const answer = this.answers.shift() ?? { kind: 'done' };
      if (answer instanceof Error) return Promise.reject(answer);
      if (this.view !== null) this.view = { ...this.view, ...after(answer) };
      return Promise.resolve(answer);
    },
  };
}

export function pendingRefund(refundId: string): RefundView {
  return {
    refundId,
    paymentId: 'pay_test',
    provider: 'internal',
    status: 'pending',
    nextWakeAt: null,
  };
}

function after({ kind }: RefundAnswer): Pick<RefundView, 'status'> {
  if (kind === 'done') return { status: 'succeeded' };
  return { status: kind === 'pending' || kind === 'unknown' ? 'pending' : 'failed' };
}
