import type { AccessDecision } from '../domain/access';
import { decimalToNumber } from '../domain/decimal';
import type { Period } from '../domain/period';
import type { UsageCall } from './usage-call';

/** What the answer to a call and its developer event both say of the decision. */
export interface DecisionFigures {
  externalId: string;
  feature: string;
  quantity: number;
  usage: number;
  quota: number | null;
  remaining: number | null;
  unlimited: boolean;
  enforcement: AccessDecision['enforcement'];
  creditBalance: number;
  overage: { allowed: boolean; quantity: number };
  /** `end` is null where the quota never resets. */
  period: { start: string; end: string | null } | null;
  plan: AccessDecision['plan'];
  subscriptionId: string | null;
}

/** The balances are those after a granted track, and otherwise as they are. */
export function decisionFigures(call: UsageCall, decision: AccessDecision): DecisionFigures {
  // A denial leaves both the same.
  const balances = call.operation === 'track' ? decision.after : decision.before;
  return {
    externalId: call.externalId,
    feature: call.feature,
    quantity: decimalToNumber(call.quantity),
    usage: decimalToNumber(balances.usage),
    quota: balances.quota === null ? null : decimalToNumber(balances.quota),
    remaining: balances.remaining === null ? null : decimalToNumber(balances.remaining),
    unlimited: balances.unlimited,
    enforcement: decision.enforcement,
    creditBalance: decimalToNumber(balances.creditBalance),
    overage: { allowed: decision.overage.allowed, quantity: decimalToNumber(decision.overage.quantity) },
    period: decision.period === null ? null : periodMember(decision.period),
    plan: decision.plan,
    subscriptionId: decision.subscriptionId,
  };
}

function periodMember({ start, end }: Period): { start: string; end: string | null } {
  return { start: new Date(start).toISOString(), end: end === null ? null : new Date(end).toISOString() };
}
