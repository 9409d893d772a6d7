import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS, type Instant } from '../../src/domain/instant';
import { nextWake, takeStep } from '../../src/domain/lifecycle';
import { isReadEarly } from '../../src/domain/provider-lifecycle';
import { NO_WORK } from '../../src/domain/provider-work';
import { withReadOfCharge } from '../../src/domain/renewal-invoice';
import { cases } from './property';
import { END, PROVIDER_ROW, START } from './provider-row';

const ROW = { ...PROVIDER_ROW, cancelAtPeriodEnd: false, work: NO_WORK };
const DRAFT = { reference: 'in_1', isOutstanding: true, chargedAt: START + HOUR_MS };
const PAID = { reference: 'in_1', isOutstanding: false, chargedAt: null };

const plan = (
  row: typeof ROW,
  invoice: typeof DRAFT | typeof PAID | undefined,
  now: Instant,
  reported = '',
) => withReadOfCharge(row, invoice, { now, reportedInvoice: reported });
const readAt = (at: Instant, looks = 0) => ({ ...ROW, work: { ...NO_WORK, lookAgainAt: at, looks } });

describe('the read of a charge that follows its period’s beginning', () => {
  it('is planned some minutes after the charge, or after an hour if the provider does not say when', () => {
    expect(plan(ROW, DRAFT, START + 5_000)).toEqual(readAt(START + HOUR_MS + 10 * MINUTE_MS));
    expect(plan(ROW, { ...DRAFT, chargedAt: null }, START)).toEqual(readAt(START + HOUR_MS + 10 * MINUTE_MS));
    expect(plan(ROW, { ...DRAFT, chargedAt: START + 9 * DAY_MS }, START)).toEqual(
      readAt(START + 9 * DAY_MS + 10 * MINUTE_MS),
    );
  });

  it('stays where it is until its time', () => {
    const planned = plan(ROW, DRAFT, START);
    expect(plan(planned, DRAFT, START + HOUR_MS)).toBe(planned);
    expect(plan(planned, undefined, START + HOUR_MS)).toBe(planned);
    // The facts do not include the payment.
    expect(plan(planned, PAID, START + HOUR_MS)).toBe(planned);
    expect(plan(planned, PAID, START + HOUR_MS, 'in_2')).toBe(planned);
  });

  it('is dropped once the outcome is recorded together with the facts', () => {
    expect(plan(plan(ROW, DRAFT, START), PAID, START + HOUR_MS, 'in_1')).toEqual(ROW);
    expect(plan(ROW, PAID, START, 'in_1')).toBe(ROW);
    // The read of a boundary that the provider has not turned yet.
    const over = readAt(END + HOUR_MS);
    expect(plan(over, PAID, END + MINUTE_MS, 'in_1')).toBe(over);
  });

  it('repeats at growing intervals while the charge is outstanding, for a week', () => {
    let row = plan(ROW, DRAFT, START);
    const times: number[] = [];
    for (;;) {
      const now = row.work.lookAgainAt ?? END;
      times.push(now - START);
      const next = plan(row, DRAFT, now);
      if (next === row) break;
      row = next;
    }
    const minutes = times.map((time) => time / MINUTE_MS);
    expect(minutes.slice(0, 6)).toEqual([70, 75, 90, 150, 510, 870]);
    expect(minutes.at(-1)).toBeGreaterThan((7 * DAY_MS) / MINUTE_MS);
    expect(times.length).toBeLessThan(35);
  });

  it('follows a charge that is put off', () => {
    const later = { ...DRAFT, chargedAt: START + 2 * DAY_MS };
    const due = START + HOUR_MS + 10 * MINUTE_MS;
    expect(plan(readAt(due), later, due)).toEqual(readAt(START + 2 * DAY_MS + 10 * MINUTE_MS));
  });

  it.each(['past_due', 'trialing', 'cancelled'] as const)('is not planned while it is %s', (status) => {
    const row = { ...ROW, status };
    expect(withReadOfCharge(row, DRAFT, { now: START })).toBe(row);
  });

  it('never takes the place of the read at the end of the period', () => {
    const rows = fc.record({
      now: fc.integer({ min: START, max: END + DAY_MS }),
      chargedAt: fc.option(fc.integer({ min: START, max: END + DAY_MS })),
      looks: fc.nat(40),
      cancelAt: fc.option(fc.integer({ min: START, max: END + DAY_MS })),
    });
    fc.assert(
      fc.property(rows, ({ now, chargedAt, looks, cancelAt }) => {
        const row = { ...ROW, cancelAt, work: { ...NO_WORK, looks } };
        const planned = withReadOfCharge(row, { ...DRAFT, chargedAt }, { now });
        if (planned === row) return;
        expect(isReadEarly(planned)).toBe(true);
        expect(planned.work.lookAgainAt).toBeGreaterThan(now);
        const wake = nextWake(planned, now);
        expect(wake).toMatchObject({ kind: 'wait', step: 'read_back', at: planned.work.lookAgainAt });
        expect(nextWake(takeStep(planned, 'read_back'), now)).toEqual(nextWake(row, now));
      }),
      cases(1_000),
    );
  });
});
