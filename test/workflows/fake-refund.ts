import { TollgateError } from '../../src/domain/errors';
import type { RefundAnswer } from '../../src/payments/refund-outcome';
import { refusalFailure } from '../../src/temporal/refusal';
import type { ProviderActivities, RefundActivities, RefundView } from '../../workflows/activity-types';

/** One refund in memory, and a provider that says what it is told to. */
export class FakeRefund {
  view: RefundView | null = null;
  /** The provider's answers, the first first; an error is thrown. Then it says `done`. */
  answers: (RefundAnswer | Error)[] = [];
  /** The refunds that the provider was asked for. */
  readonly asked: string[] = [];
  /** What was written down, and for which command. */
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
    // As the real one, it writes down what it heard before it answers.
    refundAtProvider: ({ refundId }) => {
      this.asked.push(refundId);
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
