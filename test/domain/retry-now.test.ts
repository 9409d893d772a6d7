import { HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import { NO_WORK, type ProviderWork } from '../../src/domain/provider-work';
import { callUnderWayUntil, retryNow } from '../../src/domain/retry-now';
import { STARTER, syncMarker } from './provider-row';

const NOW = Date.parse('2026-06-10T00:00:00Z');
const LATER = NOW + 10 * MINUTE_MS;

const pending = (since: number, retryAt = LATER): ProviderWork => ({
  ...NO_WORK,
  unsettled: {
    key: 'k',
    operationId: 'op_1',
    intent: { kind: 'cancel' },
    calls: [],
    since,
    tries: 1,
    retryAt,
  },
});
const asked = (lookAt: number): ProviderWork => ({
  ...NO_WORK,
  request: {
    ...STARTER,
    unitAmount: '1000',
    planReference: 'P-STARTER',
    requestedAt: NOW - MINUTE_MS,
    approvalUrl: null,
    lookAt,
    expiresAt: NOW + 100 * MINUTE_MS,
  },
});
const preparing = (state: 'failed' | 'prepared', retryAt: number | null): ProviderWork => ({
  ...NO_WORK,
  sync: syncMarker({ state, retryAt }),
});
const at = (work: ProviderWork, pastDueSince: number | null = null) =>
  retryNow({ work, status: pastDueSince === null ? 'active' : 'past_due', pastDueSince }, NOW);

test.each([
  ['a call without an answer', pending(NOW - MINUTE_MS), { unsettled: { retryAt: NOW } }],
  ['an approval', asked(LATER), { request: { lookAt: NOW } }],
  ['a failed preparation', preparing('failed', LATER), { sync: { retryAt: NOW } }],
  ['a reading', { ...NO_WORK, lookAgainAt: LATER }, { lookAgainAt: NOW }],
])('%s that waits is brought forward', (_, work, expected) => {
  expect(at(work)).toMatchObject(expected);
});

test('a past-due reading is brought forward, and one that is due is left', () => {
  expect(at(NO_WORK, NOW)).toMatchObject({ pastDueReadAt: NOW });
  expect(at(NO_WORK, NOW - HOUR_MS)).toBeNull();
});

test.each([
  ['is in progress', pending(NOW - MINUTE_MS + 1)],
  ['is due', pending(NOW - MINUTE_MS, NOW)],
  ['is looked for now', asked(NOW)],
  ['is prepared', preparing('prepared', LATER)],
  ['is not tried again', preparing('failed', null)],
  ['is read now', { ...NO_WORK, lookAgainAt: NOW }],
  ['waits for nothing', NO_WORK],
])('what %s is not retried', (_, work) => {
  expect(at(work)).toBeNull();
});

test('a call may be in progress for a minute', () => {
  expect(callUnderWayUntil(pending(NOW - MINUTE_MS + 1), NOW)).toBe(NOW + 1);
  expect(callUnderWayUntil(pending(NOW - MINUTE_MS), NOW)).toBeNull();
  expect(callUnderWayUntil(NO_WORK, NOW)).toBeNull();
});
