import { entitlementInWords } from '../../console/src/pages/subscription/entitlement-in-words';
import { formatCredits } from '../../console/src/ui/quantity';
import { shortened } from '../../console/src/pages/webhook-endpoint/shortened';

const TERMS = { resetInterval: 'month', enforcement: 'hard', creditCost: null } as const;

test.each([
  [{ quota: 1_000, entityQuota: null, unlimited: false }, '1,000 a month'],
  [{ quota: 1_000, entityQuota: 10, unlimited: false }, '1,000 a month, at most 10 an entity'],
  [{ quota: null, entityQuota: 10, unlimited: false }, '10 an entity a month'],
  [{ quota: null, entityQuota: null, unlimited: true }, 'unlimited'],
  [{ quota: null, entityQuota: null, unlimited: false }, 'included'],
])('what a plan grants reads so: %j', (terms, words) => {
  expect(entitlementInWords({ ...TERMS, ...terms })).toBe(words);
});

test.each([
  [{ resetInterval: 'billing_period', creditCost: 2 }, '1,000 a billing period, then for 2 credits each'],
  [{ resetInterval: 'never', enforcement: 'soft' }, '1,000 in all, then counted as overage'],
  [{ creditCost: 1, enforcement: 'soft' }, '1,000 a month, then for 1 credit each, then counted as overage'],
  [
    { rollover: { periods: 1, max: null, use: 'last' } },
    '1,000 a month; what is unused stays for 1 more period',
  ],
  [
    { enforcement: 'soft', rollover: { periods: 3, max: 1_500, use: 'last' } },
    '1,000 a month, then counted as overage; what is unused stays for 3 more periods, at most 1,500',
  ],
  // A change may differ in this alone.
  [
    { rollover: { periods: 3, max: 1_500, use: 'first' } },
    '1,000 a month; what is unused stays for 3 more periods, at most 1,500, and is used first',
  ],
  // Of an earlier version of the service.
  [{ resetInterval: undefined, enforcement: undefined, creditCost: undefined }, '1,000'],
] as const)('how a quota is counted, and what comes after it, reads so: %j', (terms, words) => {
  const quota = { quota: 1_000, entityQuota: null, unlimited: false };
  expect(entitlementInWords({ ...TERMS, ...quota, ...terms })).toBe(words);
});

test('credits are shown with their noun', () => {
  expect([1, 0.5, 2, 1_000].map(formatCredits)).toEqual([
    '1 credit',
    '0.5 credits',
    '2 credits',
    '1,000 credits',
  ]);
});

test('a long payload is cut, and says how much is left out; no character is torn apart', () => {
  expect(shortened('short')).toEqual({ shown: 'short', left: 0 });
  expect(shortened('abcdef', 4)).toEqual({ shown: 'abcd', left: 2 });
  expect(shortened('abc👍ef', 4)).toEqual({ shown: 'abc', left: 4 });
});
