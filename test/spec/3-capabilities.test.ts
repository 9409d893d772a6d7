import { capabilitiesOf, type Capability, type CapabilityName } from '../../src/domain/capabilities';
import type { CapabilityView } from '../../src/domain/capability-view';
import { requireCapability } from '../../src/domain/require-capability';
import { refusalOf } from '../domain/refusal';
import { NO_WORK } from '../../src/domain/provider-work';

const PERIOD_END = Date.parse('2027-02-01T00:00:00Z');
const NOW = Date.parse('2027-01-15T00:00:00Z');
const C_REFERENCE = 'SUB_abc';
const PREPARED = {
  unsettled: null,
  request: null,
  sync: { state: 'prepared', retryAt: null },
  lookAgainAt: null,
} as const;

const BY_DIRECTION = {
  timing: 'by_direction',
  timings: { increase: 'immediate', decrease: 'next_renewal' },
} as const;

interface Row {
  row: string;
  view: Partial<CapabilityView> & Pick<CapabilityView, 'provider'>;
  now?: number;
  name: CapabilityName;
  expected: Pick<Capability, 'supported' | 'available' | 'timing'> &
    Partial<Pick<Capability, 'timings' | 'reasonCode'>>;
}

const can = (expected: Pick<Capability, 'timing' | 'timings'>): Row['expected'] => ({
  supported: true,
  available: true,
  reasonCode: null,
  ...expected,
});
const notNow = (timing: Capability['timing'], reasonCode: string): Row['expected'] => ({
  supported: true,
  available: false,
  timing,
  reasonCode,
});
const never = (reasonCode: string): Row['expected'] => ({
  supported: false,
  available: false,
  timing: null,
  reasonCode,
});

/** Every row of the specification's table of states and transitions, and the cases its condition excludes. */
const ROWS: Row[] = [
  {
    row: 'active, provider A, cancel: always, renewal stops at period end',
    view: { provider: 'provider_a' },
    name: 'cancel',
    expected: can({ timing: 'period_end' }),
  },
  {
    row: 'active and not renewing, provider A, reactivate: before period end',
    view: { provider: 'provider_a', cancelAtPeriodEnd: true },
    now: PERIOD_END - 1,
    name: 'reactivate',
    expected: can({ timing: 'immediate' }),
  },
  {
    row: 'active and not renewing, provider A, reactivate: not at period end',
    view: { provider: 'provider_a', cancelAtPeriodEnd: true },
    now: PERIOD_END,
    name: 'reactivate',
    expected: notNow('immediate', 'period_ended'),
  },
  {
    row: 'active and renewing, provider A, reactivate: nothing to take back',
    view: { provider: 'provider_a' },
    name: 'reactivate',
    expected: notNow('immediate', 'not_cancelling'),
  },
  {
    row: 'active, provider B, cancel: always, immediately',
    view: { provider: 'provider_b' },
    name: 'cancel',
    expected: can({ timing: 'immediate' }),
  },
  {
    row: 'provider B, reactivate: in no row',
    view: { provider: 'provider_b' },
    name: 'reactivate',
    expected: never('new_subscription_needed'),
  },
  {
    row: 'active, provider C, cancel: individual subscription code available, not renewing',
    view: { provider: 'provider_c', providerReference: C_REFERENCE },
    name: 'cancel',
    expected: can({ timing: 'period_end' }),
  },
  {
    row: 'active, provider C, cancel: not without the individual subscription code',
    view: { provider: 'provider_c' },
    name: 'cancel',
    expected: notNow('period_end', 'provider_reference_missing'),
  },
  {
    row: 'active and not renewing, provider C, reactivate: individual subscription resolvable',
    view: { provider: 'provider_c', cancelAtPeriodEnd: true, providerReference: C_REFERENCE },
    name: 'reactivate',
    expected: can({ timing: 'immediate' }),
  },
  {
    row: 'active and not renewing, provider C, reactivate: not where it cannot be resolved',
    view: { provider: 'provider_c', cancelAtPeriodEnd: true },
    name: 'reactivate',
    expected: notNow('immediate', 'provider_reference_missing'),
  },
  {
    row: 'active, internal, cancel: always, locally',
    view: { provider: 'internal' },
    name: 'cancel',
    expected: can({ timing: 'immediate' }),
  },
  {
    row: 'internal, reactivate: in no row',
    view: { provider: 'internal' },
    name: 'reactivate',
    expected: never('new_subscription_needed'),
  },
  {
    row: 'provider A, upgrade and downgrade: at once, and at renewal',
    view: { provider: 'provider_a' },
    name: 'planChange',
    expected: can(BY_DIRECTION),
  },
  {
    row: 'provider A, seat increase and decrease: at once, and at renewal',
    view: { provider: 'provider_a' },
    name: 'seatChange',
    expected: can(BY_DIRECTION),
  },
  {
    row: 'provider A, plan change: not while the renewal is prepared',
    view: { provider: 'provider_a', work: PREPARED },
    name: 'planChange',
    expected: { ...notNow('by_direction', 'renewal_prepared'), timings: BY_DIRECTION.timings },
  },
  {
    row: 'provider A, seat change: not while the renewal is prepared',
    view: { provider: 'provider_a', work: PREPARED },
    name: 'seatChange',
    expected: { ...notNow('by_direction', 'renewal_prepared'), timings: BY_DIRECTION.timings },
  },
  {
    row: 'provider B, plan change request: always, unchanged until confirmation',
    view: { provider: 'provider_b' },
    name: 'planChange',
    expected: can({ timing: 'after_confirmation' }),
  },
  {
    row: 'provider B, seat change request: always, unchanged until confirmation',
    view: { provider: 'provider_b' },
    name: 'seatChange',
    expected: can({ timing: 'after_confirmation' }),
  },
  {
    row: 'internal, upgrade and downgrade: immediate, and scheduled for next renewal',
    view: { provider: 'internal' },
    name: 'planChange',
    expected: can(BY_DIRECTION),
  },
  {
    row: 'internal, seat increase and decrease: immediate, and scheduled for next renewal',
    view: { provider: 'internal' },
    name: 'seatChange',
    expected: can(BY_DIRECTION),
  },
  {
    row: 'provider C, plan change: blocked, not supported',
    view: { provider: 'provider_c', providerReference: C_REFERENCE },
    name: 'planChange',
    expected: never('change_not_offered'),
  },
  {
    row: 'provider C, seat change: blocked, not supported',
    view: { provider: 'provider_c', providerReference: C_REFERENCE },
    name: 'seatChange',
    expected: never('change_not_offered'),
  },
];

function viewOf(view: Row['view']): CapabilityView {
  const known = view.provider === 'provider_c' ? {} : { providerReference: 'ref' };
  return {
    status: 'active',
    cancelAtPeriodEnd: false,
    cancelAt: null,
    currentPeriodEnd: PERIOD_END,
    paymentDueAt: null,
    pastDueSince: null,
    providerReference: null,
    work: NO_WORK,
    ...known,
    ...view,
  };
}

describe('3. States and transitions: capabilities', () => {
  it.each(ROWS)('$row', ({ view, now = NOW, name, expected }) => {
    const { reason, ...found } = capabilitiesOf(viewOf(view), now)[name];
    expect(found).toEqual(expected);
    if (expected.available) expect(reason).toBeNull();
    else expect(reason).toMatch(/^[A-Z].*\.$/);
  });

  it.each(ROWS)('$row: the act is judged alike', ({ view, now = NOW, name, expected }) => {
    const act = () => {
      requireCapability(name, capabilitiesOf(viewOf(view), now));
    };
    if (expected.available) {
      expect(act).not.toThrow();
      return;
    }
    expect(refusalOf(act)).toMatchObject({
      code: expected.supported ? 'capability_unavailable' : 'capability_unsupported',
      status: expected.supported ? 409 : 422,
      capability: { name, ...expected },
    });
  });
});
