import fc from 'fast-check';
import {
  CAPABILITY_NAMES,
  capabilitiesOf,
  type CapabilityName,
  type CapabilityView,
} from '../../src/domain/capabilities';
import { PROVIDERS, SUBSCRIPTION_STATUSES } from '../../src/domain/subscription';
import { cases } from './property';

const END = Date.parse('2027-02-01T00:00:00Z');
const NOW = Date.parse('2027-01-15T00:00:00Z');

const view = (changes: Partial<CapabilityView>): CapabilityView => ({
  provider: 'internal',
  status: 'active',
  cancelAtPeriodEnd: false,
  currentPeriodEnd: END,
  metadata: { providerCSubscriptionCode: 'SUB_abc' },
  ...changes,
});

/** The reason code of each action; null where it is available. */
function codes(changes: Partial<CapabilityView>, now = NOW): Record<CapabilityName, string | null> {
  const { cancel, reactivate, planChange, seatChange } = capabilitiesOf(view(changes), now);
  return {
    cancel: cancel.reasonCode,
    reactivate: reactivate.reasonCode,
    planChange: planChange.reasonCode,
    seatChange: seatChange.reasonCode,
  };
}

describe('what can be done', () => {
  it.each(['cancelled', 'expired'] as const)('is nothing once it is %s', (status) => {
    expect(codes({ provider: 'provider_a', status })).toEqual({
      cancel: 'subscription_ended',
      reactivate: 'subscription_ended',
      planChange: 'subscription_ended',
      seatChange: 'subscription_ended',
    });
  });

  it('is no change while a payment is past due', () => {
    const pastDue = { planChange: 'payment_past_due', seatChange: 'payment_past_due' };
    expect(codes({ status: 'past_due' })).toMatchObject({ cancel: null, ...pastDue });
    // By the calendar, whether it has been written down or not.
    expect(codes({ paymentDueAt: NOW })).toMatchObject({ cancel: null, ...pastDue });
    expect(codes({ paymentDueAt: NOW + 1 })).toMatchObject({ planChange: null, seatChange: null });
    expect(codes({ provider: 'provider_a', paymentDueAt: NOW })).toMatchObject({ planChange: null });
  });

  it('is to give an unpaid checkout up, and no change', () => {
    expect(codes({ status: 'incomplete' })).toMatchObject({
      cancel: null,
      planChange: 'checkout_incomplete',
      seatChange: 'checkout_incomplete',
    });
  });

  it.each(['provider_a', 'provider_c'] as const)('is only to reactivate it where %s ends it', (provider) => {
    expect(codes({ provider, cancelAtPeriodEnd: true })).toMatchObject({
      cancel: 'already_cancelling',
      reactivate: null,
    });
    expect(codes({ provider, cancelAtPeriodEnd: true }, END)).toMatchObject({
      cancel: 'period_ended',
      reactivate: 'period_ended',
    });
  });

  it('is no change where it is about to end', () => {
    expect(codes({ provider: 'provider_a', cancelAtPeriodEnd: true })).toMatchObject({
      planChange: 'cancellation_pending',
      seatChange: 'cancellation_pending',
    });
  });

  it('is every change at once in a trial of local billing', () => {
    const { planChange, seatChange } = capabilitiesOf(view({ status: 'trialing' }), NOW);
    const immediate = {
      supported: true,
      available: true,
      timing: 'immediate',
      reason: null,
      reasonCode: null,
    };
    expect(planChange).toEqual(immediate);
    expect(seatChange).toEqual(immediate);
  });

  it.each(['claimed', 'failed'])('is every change while the marker of A is %s', (state) => {
    const marked = { provider: 'provider_a', metadata: { nextCycleSync: { state } } } as const;
    expect(codes(marked)).toMatchObject({ planChange: null, seatChange: null });
  });

  it.each([undefined, null, 'prepared', 7, []])(
    'is not decided by a marker of another form (%p)',
    (nextCycleSync) => {
      expect(codes({ provider: 'provider_a', metadata: { nextCycleSync } })).toMatchObject({
        planChange: null,
      });
    },
  );

  it('says for each action why not, exactly where it is not available', () => {
    const views = fc.record({
      provider: fc.constantFrom(...PROVIDERS),
      status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
      cancelAtPeriodEnd: fc.boolean(),
      currentPeriodEnd: fc.constantFrom(NOW - 1, NOW, END),
      paymentDueAt: fc.constantFrom(null, NOW - 1, END),
      metadata: fc.constantFrom({}, { providerCSubscriptionCode: 'SUB_abc' }),
    });
    fc.assert(
      fc.property(views, (any) => {
        const capabilities = capabilitiesOf(any, NOW);
        for (const name of CAPABILITY_NAMES) {
          const { supported, available, timing, timings, reason, reasonCode } = capabilities[name];
          expect(reason === null).toBe(available);
          expect(reasonCode === null).toBe(available);
          expect(timing !== null).toBe(supported);
          expect(timings !== undefined).toBe(timing === 'by_direction');
          if (available) expect(supported).toBe(true);
        }
        const { cancel, reactivate } = capabilities;
        expect(cancel.available && reactivate.available).toBe(false);
      }),
      cases(500),
    );
  });
});
