import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createCheckoutActivities } from '../../activities/checkout';
import type { ProviderCheckouts } from '../../src/checkouts/provider-checkouts';
import { TollgateError } from '../../src/domain/errors';
import { toRetryableError } from '../../src/operations/command-errors';

const request = {
  workspaceId: 'org_1',
  environment: 'sandbox',
  checkoutId: 'chk_1',
  operationId: 'op_1',
  attempt: 'one',
} as const;
const unused = () => Promise.reject(new Error('It is not used.'));

/** Reserves a checkout that cannot be recorded. */
function reserve(attempt: number, prepare: ProviderCheckouts['prepare']): Promise<unknown> {
  const activities = createCheckoutActivities({
    checkoutTimers: { read: unused, expire: unused },
    providerCheckouts: { prepare, create: unused, sync: unused },
  });
  const logger = new DefaultLogger('ERROR', () => undefined);
  return new MockActivityEnvironment({ attempt }, { logger }).run(() => activities.reserveCheckout(request));
}

test('a command that meets an internal error is tried a few times, and then ends with it', async () => {
  const broken = () => reserve(1, () => Promise.reject(new TypeError('It has no price.')));
  await expect(broken()).rejects.toMatchObject({ nonRetryable: false });
  const last = reserve(5, () => Promise.reject(new TypeError('It has no price.')));
  await expect(last).rejects.toBeInstanceOf(ApplicationFailure);
  await expect(last).rejects.toMatchObject({
    nonRetryable: true,
    type: 'internal_error',
    details: [{ attempt: 'one', problem: { code: 'internal_error' } }],
  });
});

test('a database that is busy or away is waited for', async () => {
  const busy = toRetryableError(new TollgateError('service_busy', 'A record is locked.'));
  await expect(reserve(100, () => Promise.reject(busy as Error))).rejects.toMatchObject({
    nonRetryable: false,
  });
});
