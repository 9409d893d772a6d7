import { decideAccess, isCountedIn, type AccessDecision, type AccessSource } from '../domain/access';
import { makesEntity } from '../domain/entity-quota';
import { TollgateError } from '../domain/errors';
import { isoText, type Instant } from '../domain/instant';
import { isClosed, refusalOfTime, type ReportingRules } from '../domain/time-of-use';
import { decideReserved, MAX_RESERVATIONS } from '../domain/reservation';
import type { PreparedEvent } from '../events/developer-event-batch-store';
import { newIdentifier } from '../identifiers/identifier';
import { checkJson, sharedMembers, trackJson } from './decision-json';
import type { NamedReservations } from './named-reservations';
import type { PairState } from './pair-state';
import type { NewReservation } from './reservation-store';
import type { CountedSource } from './counted-source';
import type { AlertIds } from './usage-alert-event';
import { UsageAlerts } from './usage-alerts';
import { toStored, type TakenDeduction } from './stored-deduction';
import { periodsOf } from './subscription-row';
import { changesBalances, type UsageAnswer, type UsageCall } from './usage-call';
import { usageDeveloperEvent } from './usage-developer-event';
import type { UsageState } from './usage-state';
import type { UsageEvent } from './usage-write-store';

/** Outcome of one call; a refusal is thrown after the commit. `denied`: access was decided and not granted. */
export type Outcome =
  | { kind: 'answered'; denied: boolean; answer: UsageAnswer }
  | { kind: 'refused'; denied: boolean; error: TollgateError };

/** Idempotency keys that the batch has read before it decides. */
export interface KnownKeys {
  /** Recorded uses, with the fingerprint of the request and the answer. */
  recorded: Map<string, { fingerprint: Buffer; answer: string }>;
  /** Keys that belong to an operation other than track. */
  foreign: ReadonlySet<string>;
}

/** The customer and the feature that a call names, which both exist. */
interface FoundPair {
  pair: PairState;
  customerId: string;
  featureId: string;
  feature: NonNullable<PairState['feature']>;
}

/** A track that is granted, and what it was granted on. */
interface GrantedUse {
  call: UsageCall;
  claim: NonNullable<UsageCall['claim']>;
  pair: PairState;
  customerId: string;
  featureId: string;
  /** Whether it is the first use of the call's entity. */
  isEntityNew: boolean;
  /** Units of the reservation that the track confirms; empty if it confirms none. */
  held: readonly TakenDeduction[];
  /** The sources that the decision counted in. */
  sources: readonly CountedSource[];
  decision: AccessDecision;
}

/** Decides the calls of one batch in order, and collects what is to be written. */
export class UsageDecider {
  readonly developerEvents: PreparedEvent[] = [];
  readonly usageEvents: UsageEvent[] = [];
  readonly newReservations: NewReservation[] = [];
  readonly alerts = new UsageAlerts();

  constructor(
    private readonly state: UsageState,
    private readonly known: KnownKeys,
    readonly reservations: NamedReservations,
  ) {}

  decide(original: UsageCall): Outcome {
    const replay = this.replay(original);
    if (replay !== undefined) return replay;
    const entity = this.reservations.entityOf(original);
    const call = entity === original.entity ? original : { ...original, entity };
    const found = this.find(call);
    if ('kind' in found) return found;
    const { pair, customerId, featureId, feature } = found;
    const { timestamp } = call;
    const held = this.reservations.heldFor(call, pair);
    if ('code' in held) return { kind: 'refused', denied: false, error: held };
    const isReserved = held.length > 0;
    const decidedOn = this.state.sourcesFor(pair, entity, timestamp, call.quantity);
    const question = this.state.question(call, pair, feature, decidedOn, call.quantity);
    const decision = isReserved ? decideReserved(question, held) : decideAccess(question);
    if (decision.reason?.code === 'entity_required')
      return refused('entity_required', decision.reason.message);
    const { reserve } = call;
    if (reserve !== null && decision.allowed)
      return this.reserve({ ...call, reserve }, pair, { customerId, featureId }, decision);
    const { claim } = call;
    if (claim === null || decision.reason !== null) return this.answerWithoutUse(call, decision, customerId);
    const isEntityNew = entity !== null && makesEntity(question);
    const { sources } = decidedOn;
    return this.recordUse({ call, claim, pair, customerId, featureId, isEntityNew, held, sources, decision });
  }

  /** Returns the customer and feature of a call, or its refusal before access is decided. */
  private find(call: UsageCall): FoundPair | Outcome {
    const pair = this.state.find(call);
    if (pair === undefined || pair.customerId === null) {
      return refused('customer_not_found', `There is no customer with the externalId "${call.externalId}".`);
    }
    const { customerId, featureId, feature } = pair;
    if (feature === null || featureId === null) {
      return refused('feature_not_found', `There is no feature with the key "${call.feature}".`);
    }
    if (changesBalances(call) && feature.kind === 'boolean') {
      return refused(
        'feature_not_metered',
        `${call.feature} is a boolean feature: it can be checked, and there is nothing to count.`,
      );
    }
    const { decidedAt, reporting } = this.state;
    const { timestamp } = call;
    const refusal = timestamp === null ? null : refusalOfTime(timestamp, decidedAt, reporting);
    if (timestamp !== null && refusal !== null) return refusedTime(timestamp, refusal);
    return { pair, customerId, featureId, feature };
  }

  /** Takes the units of a granted track, and collects its records. */
  private recordUse(use: GrantedUse): Outcome {
    const { call, claim, pair, customerId, featureId, held, decision } = use;
    const { decidedAt, reporting } = this.state;
    const { timestamp, entity } = call;
    const isReserved = held.length > 0;
    // Only a use with a timestamp or a reservation can belong to a usage period other than the current one.
    const late =
      (timestamp !== null || isReserved) &&
      isLate(decision, [...use.sources, ...periodsOf(pair.rows, held)], decidedAt, reporting);
    const decisionId = newIdentifier('decision');
    const eventId = newIdentifier('usageEvent');
    if (isReserved) this.state.release(call, pair, held);
    const { sources } = isReserved ? this.state.sourcesFor(pair, entity, timestamp) : use;
    this.reservations.confirm(call, eventId);
    const ids = { decisionId, eventId, customerId };
    if (entity !== null && use.isEntityNew) this.state.entities.create(customerId, entity);
    const taken = this.state.deduct(call, pair, sources, decision.deductions, held);
    // Units that were held in an earlier usage period and are left carry over again, which the decision does not show.
    const counted = isReserved
      ? { ...decision, after: this.state.balances(call, pair, timestamp, use.sources) }
      : decision;
    const shared = sharedMembers(call, counted);
    const body = trackJson(call, counted, ids, shared, { recordedAt: decidedAt, late });
    this.usageEvents.push({
      ...claim,
      id: eventId,
      customerId,
      featureId,
      quantity: call.quantity,
      source: call.source,
      deductions: JSON.stringify(taken.map(toStored)),
      answer: body,
      usedAt: timestamp,
      late,
      properties: call.properties,
      entity,
    });
    this.developerEvents.push(usageDeveloperEvent(call, counted, ids, shared));
    this.alert(call, pair, ids, sources, taken);
    this.known.recorded.set(claim.key, { fingerprint: claim.fingerprint, answer: body });
    return answered(body);
  }

  /** Answers a check, or refuses a track that access was denied to; either is recorded in the developer events. */
  private answerWithoutUse(call: UsageCall, decision: AccessDecision, customerId: string): Outcome {
    const decisionId = newIdentifier('decision');
    const shared = sharedMembers(call, decision);
    this.developerEvents.push(usageDeveloperEvent(call, decision, { decisionId, customerId }, shared));
    const body = checkJson(decision, decisionId, shared);
    const { reason } = decision;
    if (call.claim === null || reason === null) return { ...answered(body), denied: !decision.allowed };
    const extra = { decision: JSON.parse(body) as unknown };
    return {
      kind: 'refused',
      denied: true,
      error: new TollgateError(reason.code, reason.message, { extra }),
    };
  }

  /** Appends the events of the alerts that the track has reached, after the track's own event. */
  private alert(
    call: UsageCall,
    pair: PairState,
    ids: AlertIds,
    sources: readonly CountedSource[],
    deductions: readonly TakenDeduction[],
  ): void {
    const { creditsLowPercent } = this.state;
    const grants = this.state.grantsOf(call.externalId);
    const track = { call, pair, ids, sources, deductions, grants, creditsLowPercent };
    this.developerEvents.push(...this.alerts.after(track));
  }

  /** Holds the units of a granted check; its answer shows the balances including them. */
  private reserve(
    call: UsageCall & { reserve: NonNullable<UsageCall['reserve']> },
    pair: PairState,
    ids: { customerId: string; featureId: string },
    granted: AccessDecision,
  ): Outcome {
    const { customerId } = ids;
    const reserved = this.newReservations.filter((one) => one.customerId === customerId).length;
    if (this.state.reservationsOf(call.externalId) + reserved >= MAX_RESERVATIONS) {
      const detail = `${call.externalId} has ${MAX_RESERVATIONS} reservations.`;
      return refused('too_many_reservations', detail);
    }
    const reservation = {
      id: call.reserve.id,
      expiresAt: this.state.decidedAt + call.reserve.expiresInSeconds * 1_000,
    };
    const deductions = this.state.hold(call, pair, reservation.id, granted.deductions);
    const { entity, quantity } = call;
    this.newReservations.push({ ...reservation, ...ids, entity, quantity, deductions });
    const decision = { ...granted, before: this.state.balances(call, pair, null) };
    const decisionId = newIdentifier('decision');
    const shared = sharedMembers(call, decision);
    this.developerEvents.push(
      usageDeveloperEvent(call, decision, { decisionId, customerId, reservationId: reservation.id }, shared),
    );
    const body = checkJson(decision, decisionId, shared, reservation);
    return answered(body);
  }

  /** Returns the answer of a key that was used before, by an earlier batch or earlier in this one. */
  private replay(call: UsageCall): Outcome | undefined {
    if (call.claim === null) return undefined;
    const { key, fingerprint } = call.claim;
    const recorded = this.known.recorded.get(key);
    if (recorded?.fingerprint.equals(fingerprint) === true)
      return { kind: 'answered', denied: false, answer: { body: recorded.answer, replayed: true } };
    if (recorded === undefined && !this.known.foreign.has(key)) return undefined;
    return refused('idempotency_key_reused', 'This Idempotency-Key was first used for another request.');
  }
}

/** Whether the use took anything from a usage period that was closed. */
function isLate(
  { deductions }: AccessDecision,
  periods: readonly Pick<AccessSource, 'subscriptionId' | 'period'>[],
  now: Instant,
  reporting: ReportingRules,
): boolean {
  return periods.some(
    (one) =>
      isClosed(one.period, now, reporting) && deductions.some((deduction) => isCountedIn(one, deduction)),
  );
}

function refusedTime(at: Instant, refusal: string): Outcome {
  const message = `timestamp ${isoText(at)} ${refusal}.`;
  const fix =
    'Send when the use happened. How far back it may lie is the setting usageReportedDays of the workspace.';
  const errors = [{ pointer: '/timestamp', message, fix }];
  return {
    kind: 'refused',
    denied: false,
    error: new TollgateError('timestamp_out_of_range', message, { errors }),
  };
}

function answered(body: string): Extract<Outcome, { kind: 'answered' }> {
  return { kind: 'answered', denied: false, answer: { body, replayed: false } };
}

function refused(code: TollgateError['code'], detail: string): Outcome {
  return { kind: 'refused', denied: false, error: new TollgateError(code, detail) };
}
