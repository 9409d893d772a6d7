import { NO_WORK, type ApprovalRequest, type PendingCall } from '../../src/domain/provider-work';
import { obstacleToWithdrawal, withdrawnFirst } from '../../src/domain/withdrawal';

const END = 1_000;
const terms = { planId: 'plan_small', seats: 1, pricing: 'flat' as const };
const scheduled = { ...terms, planId: 'plan_large' };
const request = {} as ApprovalRequest;
const unsettled = {} as PendingCall;
type View = Parameters<typeof obstacleToWithdrawal>[0];
const atB: View = { ...terms, provider: 'provider_b', currentPeriodEnd: END, scheduled: null, work: NO_WORK };
const atA: View = { ...atB, provider: 'provider_a' };
const sync = { state: 'prepared', told: true } as NonNullable<View['work']['sync']>;

test.each<[string, View, ReturnType<typeof withdrawnFirst>, string | null]>([
  ['nothing waits', atB, null, null],
  ['an approval is waited for', { ...atB, work: { ...NO_WORK, request } }, 'approval', null],
  ['B’s customer has approved it', { ...atB, scheduled }, 'scheduled', 'confirmed_at_provider'],
  [
    'an approved one has another after it, which goes first',
    { ...atB, scheduled, work: { ...NO_WORK, request } },
    'approval',
    null,
  ],
  [
    'a call has no outcome',
    { ...atB, work: { ...NO_WORK, request, unsettled } },
    'approval',
    'provider_unsettled',
  ],
  ['a downgrade is scheduled at A', { ...atA, scheduled }, 'scheduled', null],
  ['it is prepared there', { ...atA, scheduled, work: { ...NO_WORK, sync } }, 'scheduled', null],
  [
    'the connection is disabled',
    { ...atA, scheduled, work: { ...NO_WORK, sync }, connectionDisabled: true },
    'scheduled',
    'connection_disabled',
  ],
  [
    'the connection is disabled, and nothing is prepared',
    { ...atA, scheduled, connectionDisabled: true },
    'scheduled',
    null,
  ],
  ['seats of a flat plan wait at B', { ...atB, scheduled: { ...terms, seats: 2 } }, 'scheduled', null],
])('%s', (_, view, change, obstacle) => {
  expect(withdrawnFirst(view)).toBe(change);
  expect(obstacleToWithdrawal(view, END - 1)?.reasonCode ?? null).toBe(obstacle);
});

test('a change that may have been charged at the prepared price is not withdrawn', () => {
  const view = { ...atA, scheduled, work: { ...NO_WORK, sync } };
  expect(obstacleToWithdrawal(view, END)?.reasonCode).toBe('renewal_prepared');
});
