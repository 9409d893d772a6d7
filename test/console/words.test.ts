import { entitlementInWords } from '../../console/src/pages/subscription/entitlement-in-words';
import { shortened } from '../../console/src/pages/webhook-endpoint/shortened';

const TERMS = { resetInterval: 'month', enforcement: 'hard', creditCost: null } as const;

test.each([
  [{ quota: 1_000, entityQuota: null, unlimited: false }, '1,000 a month'],
  [{ quota: 1_000, entityQuota: 10, unlimited: false }, '1,000, 10 an entity a month'],
  [{ quota: null, entityQuota: 10, unlimited: false }, '10 an entity a month'],
  [{ quota: null, entityQuota: null, unlimited: true }, 'unlimited'],
  [{ quota: null, entityQuota: null, unlimited: false }, 'included'],
])('what a plan grants reads so: %j', (terms, words) => {
  expect(entitlementInWords({ ...TERMS, ...terms })).toBe(words);
});

test('a long payload is cut, and says how much is left out; no character is torn apart', () => {
  expect(shortened('short')).toEqual({ shown: 'short', left: 0 });
  expect(shortened('abcdef', 4)).toEqual({ shown: 'abcd', left: 2 });
  expect(shortened('abc👍ef', 4)).toEqual({ shown: 'abc', left: 4 });
});
