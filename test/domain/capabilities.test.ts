import fc from 'fast-check';
import { CAPABILITY_NAMES, capabilitiesOf, type CapabilityName } from '../../src/domain/capabilities';
import type { CapabilityView } from '../../src/domain/capability-view';
import { NO_WORK, type ProviderWaits } from '../../src/domain/provider-work';
import { SUBSCRIPTION_STATUSES } from '../../src/domain/subscription';
import { cases } from './property';
import { PROVIDERS } from '../../src/domain/provider';

const END = Date.parse('2027-02-01T00:00:00Z');
const NOW = Date.parse('2027-01-15T00:00:00Z');

const view = (changes: Partial<CapabilityView>): CapabilityView => ({
  provider: 'internal',
  status: 'active',
  cancelAtPeriodEnd: false,
  cancelAt: null,
  currentPeriodEnd: END,
  paymentDueAt: null,
  pastDueSince: null,
  work: NO_WORK,
  providerReference: 'SUB_abc',
  ...changes,
});

const waiting = (work: Partial<ProviderWaits>): ProviderWaits => ({
  unsettled: null,
  request: null,
  sync: null,
  lookAgainAt: null,
  ...work,
});

/** Returns the reason code of each action; null if the action is available. */
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

  it('is nothing that goes to the provider while the connection is disabled', () => {
    const off = 'connection_disabled';
    const disabled = { connectionDisabled: true } as const;
    expect(codes({ provider: 'provider_a', ...disabled })).toEqual({
      cancel: off,
      reactivate: 'not_cancelling',
      planChange: off,
      seatChange: off,
    });
    expect(codes({ provider: 'provider_c', cancelAtPeriodEnd: true, ...disabled })).toMatchObject({
      cancel: 'already_cancelling',
      reactivate: off,
      planChange: 'change_not_offered',
    });
    // While the connection is disabled, an unsettled call cannot be resolved.
    const work = waiting({ unsettled: { retryAt: NOW } });
    expect(codes({ provider: 'provider_b', work, ...disabled })).toMatchObject({ cancel: off });
    expect(codes(disabled)).toMatchObject({ cancel: null, planChange: null });
  });

  it('is no change while a payment is past due', () => {
    const pastDue = { planChange: 'payment_past_due', seatChange: 'payment_past_due' };
    expect(codes({ status: 'past_due' })).toMatchObject({ cancel: null, ...pastDue });
    // Decided by the calendar, whether or not the status has been stored yet.
    expect(codes({ paymentDueAt: NOW })).toMatchObject({ cancel: null, ...pastDue });
    expect(codes({ paymentDueAt: NOW + 1 })).toMatchObject({ planChange: null, seatChange: null });
    expect(codes({ provider: 'provider_a', paymentDueAt: NOW })).toMatchObject({ planChange: null });
  });

  it('is no change while payments are suspended in a paid period, and the reason asks for no payment', () => {
    const suspended = view({ provider: 'provider_b', status: 'past_due', pastDueSince: END });
    const { reasonCode, reason } = capabilitiesOf(suspended, NOW).planChange;
    expect(reasonCode).toBe('payment_past_due');
    expect(reason).toMatch(/^Payments are suspended at the payment provider\./);
    expect(capabilitiesOf(suspended, END).planChange.reason).toMatch(/^A payment is past due\./);
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

  it('is no change in the last period at provider B, and nothing is said of reactivating it', () => {
    const { planChange, reactivate } = capabilitiesOf(
      view({ provider: 'provider_b', cancelAtPeriodEnd: true }),
      NOW,
    );
    expect(reactivate.supported).toBe(false);
    expect(planChange).toMatchObject({
      reasonCode: 'cancellation_pending',
      reason: 'The subscription ends with its current period, so it cannot be changed.',
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

  it.each(['claimed', 'failed'] as const)('is every change while the marker of A is %s', (state) => {
    const marked = { provider: 'provider_a', work: waiting({ sync: { state, retryAt: null } }) } as const;
    expect(codes(marked)).toMatchObject({ planChange: null, seatChange: null });
  });

  it.each(['provider_a', 'provider_b', 'provider_c'] as const)(
    'is nothing at %s while nobody knows what became of the last request',
    (provider) => {
      const work = waiting({ unsettled: { retryAt: NOW } });
      expect(codes({ provider, work }).cancel).toBe('provider_unsettled');
      expect(codes({ provider, work, cancelAtPeriodEnd: true }).reactivate).toBe(
        provider === 'provider_b' ? 'new_subscription_needed' : 'provider_unsettled',
      );
      expect(codes({ provider, work }).planChange).toBe(
        provider === 'provider_c' ? 'change_not_offered' : 'provider_unsettled',
      );
    },
  );

  it('says for each action why not, exactly where it is not available', () => {
    const views = fc.record({
      provider: fc.constantFrom(...PROVIDERS),
      status: fc.constantFrom(...SUBSCRIPTION_STATUSES),
      cancelAtPeriodEnd: fc.boolean(),
      cancelAt: fc.constant(null),
      currentPeriodEnd: fc.constantFrom(NOW - 1, NOW, END),
      pastDueSince: fc.constant(null),
      paymentDueAt: fc.constantFrom(null, NOW - 1, END),
      providerReference: fc.constantFrom(null, 'SUB_abc'),
      work: fc.constantFrom(waiting({}), waiting({ unsettled: { retryAt: NOW } })),
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
