import { decideAccess, type AccessDecision, type Deduction } from '../domain/access';
import { decimalToNumber } from '../domain/decimal';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import type { PreparedEvent } from '../events/developer-event-batch-store';
import { newIdentifier } from '../identifiers/identifier';
import { decisionFigures, type DecisionFigures } from './decision-figures';
import type { UsageAnswer, UsageCall } from './usage-call';
import { usageDeveloperEvent } from './usage-developer-event';
import type { UsageCheck, UsageTrack } from './usage-schema';
import type { UsageState } from './usage-state';
import type { UsageEvent } from './usage-write-store';

/** The outcome of one call; a refusal is thrown after the commit. `denied`: access was decided, and not granted. */
export type Outcome =
  | { kind: 'answered'; denied: boolean; answer: UsageAnswer }
  | { kind: 'refused'; denied: boolean; error: TollgateError };

/** What the batch knows about idempotency keys before it decides. */
export interface KnownKeys {
  /** Recorded uses, with what they were for and what was answered. */
  recorded: Map<string, { fingerprint: Buffer; answer: string }>;
  /** Keys that belong to an operation other than track. */
  foreign: ReadonlySet<string>;
}

/** Decides the calls of one batch in their order, and collects what there is to write. */
export class UsageDecider {
  readonly developerEvents: PreparedEvent[] = [];
  readonly usageEvents: UsageEvent[] = [];

  constructor(
    private readonly state: UsageState,
    private readonly known: KnownKeys,
  ) {}

  decide(call: UsageCall): Outcome {
    const replay = this.replay(call);
    if (replay !== undefined) return replay;
    const pair = this.state.find(call);
    if (pair === undefined || pair.customerId === null) {
      return refused('customer_not_found', `There is no customer with the externalId "${call.externalId}".`);
    }
    const { customerId, featureId, feature } = pair;
    if (feature === null || featureId === null) {
      return refused('feature_not_found', `There is no feature with the key "${call.feature}".`);
    }
    if (call.claim !== null && feature.kind === 'boolean') {
      return refused(
        'feature_not_metered',
        `${call.feature} is a boolean feature: it can be checked, and there is nothing to count.`,
      );
    }
    const decision = decideAccess(this.state.question(call, { ...pair, feature }, call.quantity));
    const decisionId = newIdentifier('decision');
    const figures = decisionFigures(call, decision);
    if (call.claim === null) {
      this.developerEvents.push(usageDeveloperEvent(call, decision, { decisionId, customerId }, figures));
      const body = JSON.stringify(checkAnswer(decision, decisionId, figures));
      return { kind: 'answered', denied: !decision.allowed, answer: { body, replayed: false } };
    }
    if (decision.reason !== null) {
      this.developerEvents.push(usageDeveloperEvent(call, decision, { decisionId, customerId }, figures));
      const { code, message } = decision.reason;
      const extra = { decision: checkAnswer(decision, decisionId, figures) };
      return { kind: 'refused', denied: true, error: new TollgateError(code, message, { extra }) };
    }
    const eventId = newIdentifier('usageEvent');
    const ids = { decisionId, eventId };
    const body = JSON.stringify(trackAnswer(call, decision, ids, figures, this.state.decidedAt));
    this.usageEvents.push({
      ...call.claim,
      id: eventId,
      customerId,
      featureId,
      quantity: call.quantity,
      source: call.source,
      deductions: this.state.deduct(call, pair, decision.deductions),
      answer: body,
    });
    this.developerEvents.push(
      usageDeveloperEvent(call, decision, { decisionId, eventId, customerId }, figures),
    );
    this.known.recorded.set(call.claim.key, { fingerprint: call.claim.fingerprint, answer: body });
    return answered(body, false);
  }

  /** The answer of a key that was used before: by an earlier batch, or earlier in this one. */
  private replay(call: UsageCall): Outcome | undefined {
    if (call.claim === null) return undefined;
    const { key, fingerprint } = call.claim;
    const recorded = this.known.recorded.get(key);
    if (recorded?.fingerprint.equals(fingerprint) === true) return answered(recorded.answer, true);
    if (recorded === undefined && !this.known.foreign.has(key)) return undefined;
    return refused('idempotency_key_reused', 'This Idempotency-Key was first used for another request.');
  }
}

function answered(body: string, replayed: boolean): Outcome {
  return { kind: 'answered', denied: false, answer: { body, replayed } };
}

function refused(code: TollgateError['code'], detail: string): Outcome {
  return { kind: 'refused', denied: false, error: new TollgateError(code, detail) };
}

/** A check's answer, and a denied track's `decision`: the balances as they are (docs/design.md, section 7). */
function checkAnswer(decision: AccessDecision, decisionId: string, figures: DecisionFigures): UsageCheck {
  return {
    status: decision.allowed ? 'access_granted' : 'access_denied',
    allowed: decision.allowed,
    reason: decision.reason,
    decisionId,
    ...figures,
  };
}

/** A granted track's answer: the balances after it. */
function trackAnswer(
  call: UsageCall,
  decision: AccessDecision,
  ids: { decisionId: string; eventId: string },
  figures: DecisionFigures,
  recordedAt: Instant,
): UsageTrack {
  return {
    status: 'access_granted',
    recorded: true,
    eventId: ids.eventId,
    decisionId: ids.decisionId,
    ...figures,
    source: call.source,
    deductions: decision.deductions.map(deductionMember),
    recordedAt: new Date(recordedAt).toISOString(),
  };
}

function deductionMember(deduction: Deduction): UsageTrack['deductions'][number] {
  return {
    from: deduction.from,
    quantity: decimalToNumber(deduction.quantity),
    subscriptionId: deduction.subscriptionId,
    ...(deduction.from === 'credits'
      ? { credits: decimalToNumber(deduction.credits), grantId: deduction.grantId }
      : {}),
  };
}
