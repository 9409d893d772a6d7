import { mayBePaidElsewhere } from '../domain/refund';
import type { Instant } from '../domain/instant';
import type { RefundFacts } from '../providers/canonical-event';
import type { ConnectionAccess } from '../providers/connection-access';
import type { Outcome } from '../providers/outcome';
import type { ProviderAdapter } from '../providers/provider-adapter';
import type { ProviderReference } from '../providers/provider-operations';
import { refusesCredentials } from '../providers/refused-credentials';
import type { RefundOutcome } from './refund-outcome';

/**
 * Time until the provider is asked again. Provider C has no idempotency keys: a request may still arrive there for two
 * minutes, and is not repeated before. The clock of the worker that repeats it may be five minutes ahead.
 */
export const QUIET_MS = { provider_a: 60_000, provider_b: 60_000, provider_c: 420_000 } as const;

/** A refund request to the provider. */
export interface RefundAttempt {
  refundId: string;
  payment: ProviderReference;
  /** Minor units. */
  amount: bigint;
  currency: string;
  /** Whether the provider may have been asked before; its refunds are then searched for this one first. */
  mayExist: boolean;
  /** The provider's reference of the refund, if an earlier answer contained it. */
  known: string | null;
  /** The workspace's time. */
  requestedAt: Instant;
  /** The workspace's time of this attempt. */
  at: Instant;
}

/** The outcome at the provider, and the facts of its answer. */
export interface RefundAttemptResult {
  outcome: RefundOutcome;
  facts: RefundFacts | null;
  /** The provider's code for the refusal. */
  code?: string;
}

const NOT_THERE = 'not_found';
const FAILED = 'The payment provider could not make the refund.';
const UNKNOWN = { outcome: { kind: 'unknown' }, facts: null } as const;

/** The provider's adapter and the access to use. */
interface RefundProvider {
  adapter: Pick<ProviderAdapter, 'fetchRefund' | 'refundPayment'>;
  access: ConnectionAccess;
}

/**
 * Requests a refund from the provider, or reads its status if its reference is known. The key is the refund's id at
 * every attempt, because a refund refused before it was reserved was never sent to the provider.
 */
export async function requestRefund(
  { adapter, access }: RefundProvider,
  attempt: RefundAttempt,
): Promise<RefundAttemptResult> {
  const { refundId, payment, amount, currency, mayExist, known } = attempt;
  if (known !== null) {
    const found = await adapter.fetchRefund(access, known);
    const answered = found.kind !== 'unsupported' && !(found.kind === 'declined' && found.code === NOT_THERE);
    // A failed read does not refuse the refund, so a decline here is unknown.
    if (answered) return found.kind === 'declined' ? UNKNOWN : judge(found, attempt);
  }
  const request = { key: refundId, repeated: mayExist, payment, amount, currency, refundId };
  return judge(await adapter.refundPayment(access, request), attempt);
}

/**
 * Reads the status of a refund made at the provider. It is never requested from here, and it stays pending until the
 * provider reports how it ended.
 *
 * @param known the provider's reference
 */
export async function pollRefund(
  { adapter, access }: { adapter: Pick<ProviderAdapter, 'fetchRefund'>; access: ConnectionAccess },
  known: string,
): Promise<RefundOutcome> {
  const found = await adapter.fetchRefund(access, known);
  return 'value' in found ? outcomeOf(found.value) : { kind: 'pending' };
}

function judge(answer: Outcome<RefundFacts>, attempt: RefundAttempt): RefundAttemptResult {
  switch (answer.kind) {
    case 'done':
    case 'pending':
      return { outcome: outcomeOf(answer.value), facts: answer.value };
    case 'declined':
      if (attempt.mayExist && (refusesCredentials(answer) || isElsewhere(answer, attempt))) return UNKNOWN;
      return { outcome: { kind: 'declined', reason: answer.reason }, facts: null, code: answer.code };
    case 'unsupported':
      return { outcome: { kind: 'declined', reason: answer.reason }, facts: null };
    case 'unknown':
    case 'customer_action':
      return UNKNOWN;
  }
}

function isElsewhere({ code }: { code: string }, { requestedAt, at }: RefundAttempt): boolean {
  return code === NOT_THERE && mayBePaidElsewhere(requestedAt, at);
}

function outcomeOf({ status, needs }: RefundFacts): RefundOutcome {
  switch (status) {
    case 'succeeded':
      return { kind: 'done' };
    case 'pending':
      return { kind: 'pending', needs: needs ?? null };
    case 'failed':
      return { kind: 'declined', reason: FAILED };
  }
}
