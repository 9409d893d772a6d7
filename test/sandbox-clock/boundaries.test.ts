import { HOUR_MS } from '../../src/domain/instant';
import { NO_WORK } from '../../src/domain/provider-work';
import { boundariesBetween } from '../../src/sandbox-clock/boundaries';
import { END, PROVIDER_ROW, START } from '../domain/provider-row';

test('a read within the period is not the end of the period', () => {
  const row = { id: 'sub_1', ...PROVIDER_ROW, work: { ...NO_WORK, lookAgainAt: START + HOUR_MS } };
  expect(boundariesBetween([row], START, END, 10)).toEqual([
    { subscriptionId: 'sub_1', boundary: START + HOUR_MS, what: 'provider_asked' },
    { subscriptionId: 'sub_1', boundary: END, what: 'period_end' },
  ]);
});
