import fc from 'fast-check';
import { concernsCustomer } from '../../src/domain/customer-webhook';
import { ERASURE_STEPS, openAffairs, stepAfter, type CustomerAffairs } from '../../src/domain/erasure';
import { mentions, searchableNames } from '../../src/domain/mention';
import { OPERATION_STATUSES } from '../../src/domain/operation-status';
import { SUBSCRIPTION_STATUSES } from '../../src/domain/subscription-types';
import { cases } from './property';

const rowsOf = <Status extends string>(statuses: readonly Status[]) =>
  fc.array(fc.record({ id: fc.uuid(), status: fc.constantFrom(...statuses) }), { maxLength: 4 });
const affairs: fc.Arbitrary<CustomerAffairs> = fc.record({
  subscriptions: fc.array(
    fc.record({ id: fc.uuid(), status: fc.constantFrom(...SUBSCRIPTION_STATUSES), unsettled: fc.boolean() }),
    { maxLength: 4 },
  ),
  checkouts: rowsOf(['open', 'complete', 'expired']),
  refunds: rowsOf(['pending', 'succeeded', 'failed']),
  operations: rowsOf(OPERATION_STATUSES),
});

const FINAL: ReadonlySet<string> = new Set([
  ...['cancelled', 'expired', 'complete', 'succeeded', 'failed', 'abandoned', 'refused'],
]);

test('a customer is erased exactly when all it has is final and settled', () => {
  fc.assert(
    fc.property(affairs, (all) => {
      const open = openAffairs(all);
      const rows = Object.values(all).flat() as { id: string; status: string; unsettled?: boolean }[];
      const expected = rows
        .filter((row) => row.unsettled === true || !FINAL.has(row.status))
        .map(({ id }) => id);
      expect(open === null ? [] : Object.values(open).flat()).toEqual(expected);
    }),
    cases(300),
  );
});

test('the steps lead from the wait through each other one to an end', () => {
  const taken: string[] = [];
  for (let step: (typeof ERASURE_STEPS)[number] | null = 'wait'; step !== null; step = stepAfter(step)) {
    taken.push(step);
  }
  expect(taken).toEqual(ERASURE_STEPS);
});

/** Names as people and applications use them, including letters that JSON and URLs escape. */
const name = fc
  .string({ unit: 'grapheme', minLength: 4, maxLength: 30 })
  .filter((text) => text === text.trim() && /^[\p{L}\p{N}].*[\p{L}\p{N}]$/u.test(text));

test('a name is found as it was written, in lower case, in JSON and in a URL', () => {
  fc.assert(
    fc.property(name, (text) => {
      const ascii = JSON.stringify({ it: text }).replace(
        /[^ -~]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      for (const written of [
        `to ${text}.`,
        `to ${text}.`.toLowerCase(),
        JSON.stringify({ a: [text] }),
        ascii,
        `https://shop.example/?who=${encodeURIComponent(text)}&x=1`,
        new URLSearchParams({ who: text }).toString(),
      ]) {
        expect([written, mentions(written, [text])]).toEqual([written, true]);
      }
    }),
    cases(300),
  );
});

test('a name within a longer word is not a mention', () => {
  expect(mentions('{"customer":"acct_10"}', ['acct_1'])).toBe(false);
  expect(mentions('{"customer":"acct_1"}', ['acct_1'])).toBe(true);
  expect(mentions('Annabel', ['Anna'])).toBe(false);
  expect(mentions('Anna’s', ['Anna'])).toBe(true);
  expect(mentions('anything', [''])).toBe(false);
  expect(searchableNames(['42', null, 'user', 'user', 'a@b.c'])).toEqual(['user', 'a@b.c']);
});

test('a webhook concerns a customer by what it changed or names; by its name alone only from before', () => {
  const customer = {
    ids: ['cus_1'],
    references: ['sub_ref'],
    names: ['jane@shop.example'],
    requestedAt: 100,
  };
  const webhook = { text: '{}', targets: [] as string[], receivedAt: 50 };
  expect(concernsCustomer(webhook, customer)).toBe(false);
  expect(concernsCustomer({ ...webhook, targets: ['cus_1'] }, customer)).toBe(true);
  expect(concernsCustomer({ ...webhook, text: '{"id":"sub_ref"}', receivedAt: 500 }, customer)).toBe(true);
  const named = { ...webhook, text: '{"email":"Jane@Shop.example"}' };
  expect(concernsCustomer(named, customer)).toBe(true);
  // Another customer may take the name afterwards, and may be the one that an earlier event changed.
  expect(concernsCustomer({ ...named, receivedAt: 101 }, customer)).toBe(false);
  expect(concernsCustomer({ ...named, targets: ['cus_2'] }, customer)).toBe(false);
});
