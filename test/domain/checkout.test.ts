import { checkoutDeadline, startWhenPaid } from '../../src/domain/checkout';
import { nextWake } from '../../src/domain/lifecycle';
import { lifecycleRow } from '../support/lifecycle-row';

const at = (text: string): number => Date.parse(text);

function offered(timeZone: string) {
  const period = { start: at('2027-01-30T11:00:00Z'), end: at('2027-02-28T11:00:00Z') };
  return {
    ...lifecycleRow(period, {
      status: 'incomplete',
      timeZone,
      paymentDueAt: at('2027-02-06T11:00:00Z'),
      incompleteUntil: at('2027-01-31T11:00:00Z'),
    }),
    startedAt: period.start,
  };
}

describe('a checkout', () => {
  test('gives up so many minutes after it was made', () => {
    expect(checkoutDeadline(at('2027-01-01T00:00:00Z'), 1_440)).toBe(at('2027-01-02T00:00:00Z'));
    expect(nextWake(offered('UTC'), at('2027-01-31T11:00:00Z'))).toMatchObject({
      kind: 'due',
      step: 'expire_checkout',
    });
  });

  test('that is paid starts a period at the payment’s instant, and is past nothing', () => {
    const paidAt = at('2027-01-31T09:30:00Z');
    const started = startWhenPaid(offered('UTC'), paidAt);
    expect(started).toMatchObject({
      status: 'active',
      startedAt: paidAt,
      billingAnchor: paidAt,
      currentPeriodStart: paidAt,
      currentPeriodEnd: at('2027-02-28T09:30:00Z'),
      paymentDueAt: null,
      incompleteUntil: null,
    });
    expect(nextWake(started, paidAt)).toMatchObject({ kind: 'wait', step: 'turn_period' });
  });

  test('keeps the wall clock of its zone across daylight saving', () => {
    const started = startWhenPaid(offered('Europe/Berlin'), at('2027-03-15T09:30:00Z'));
    expect(started.currentPeriodEnd).toBe(at('2027-04-15T08:30:00Z'));
  });
});
