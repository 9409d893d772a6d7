import { renewalWindow } from '../../console/src/pages/subscriptions/renewal-window';
import { DAY_MS } from '../../src/domain/instant';

describe.each([1, 7, 31])('subscriptions that renew within %i days', (days) => {
  test.each(['2026-12-01T00:00:00.000Z', '2026-12-01T00:25:00.000Z', '2026-12-01T00:59:59.999Z'])(
    'include each of the whole time from %s',
    (now) => {
      const { renewsFrom, renewsTo } = renewalWindow(days, now);
      expect(Date.parse(renewsFrom)).toBeLessThanOrEqual(Date.parse(now));
      expect(Date.parse(renewsTo)).toBeGreaterThan(Date.parse(now) + days * DAY_MS);
    },
  );

  test('are the same within an hour, so that the pages of a list fit together', () => {
    const [first, last] = ['2026-12-01T00:00:00.000Z', '2026-12-01T00:59:59.999Z'].map((now) =>
      renewalWindow(days, now),
    );
    expect(last).toEqual(first);
  });
});
