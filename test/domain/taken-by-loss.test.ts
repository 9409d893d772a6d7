import { mayReportLoss, takenByLoss, type RefundsBesideLoss } from '../../src/domain/dispute';
import { DAY_MS, MINUTE_MS } from '../../src/domain/instant';

/** What a lost dispute took of a payment of 100, at a provider that also reports the loss as a refund. */
const none: RefundsBesideLoss = { total: 0n, madeThere: [], isRequestedHere: false };

test.each([
  ['all of it, where nothing was refunded', 100n, none, 100n],
  ['the stated part', 30n, { ...none, total: 70n }, 30n],
  ['the rest, if all is stated after a part was refunded', 100n, { ...none, total: 40n }, 60n],
  [
    'the rest, if a part was refunded here meanwhile',
    100n,
    { total: 40n, madeThere: [], isRequestedHere: true },
    60n,
  ],
  [
    'the refund that reports it, also if a part was refunded here meanwhile',
    100n,
    { total: 100n, madeThere: [60n], isRequestedHere: true },
    60n,
  ],
  ['the refund that reports it', 100n, { total: 100n, madeThere: [60n], isRequestedHere: false }, 60n],
  [
    'the refund of the stated amount',
    100n,
    { total: 140n, madeThere: [40n, 100n], isRequestedHere: false },
    100n,
  ],
  [
    'the latest refund, if several may report it',
    100n,
    { total: 100n, madeThere: [25n, 75n], isRequestedHere: false },
    25n,
  ],
  [
    'nothing, if all was refunded here meanwhile',
    100n,
    { total: 100n, madeThere: [], isRequestedHere: true },
    null,
  ],
  // A bank may take what was refunded before the dispute once more.
  ['all of it again, if all was refunded before', 100n, { ...none, total: 100n }, 100n],
] as const)('is %s', (_, stated, refunds, taken) => {
  expect(takenByLoss(stated, 100n, refunds)).toBe(taken);
});

const OPENED = Date.UTC(2026, 2, 1);
const RETURNED = OPENED + 9 * DAY_MS;
test.each([
  ['a minute before the opening', OPENED - MINUTE_MS, null, true],
  ['two days before it', OPENED - 2 * DAY_MS, null, false],
  ['months after it', OPENED + 90 * DAY_MS, null, true],
  ['when the money came back', RETURNED, RETURNED, true],
  ['after the money came back', RETURNED + 1, RETURNED, false],
  ['at an unknown time', null, RETURNED, true],
])('whether a refund made %s may report a loss', (_, madeAt, returnedAt, may) => {
  expect(mayReportLoss(madeAt, { openedAt: OPENED, returnedAt })).toBe(may);
});
