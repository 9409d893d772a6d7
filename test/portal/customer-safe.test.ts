import { CONNECTION_DISABLED, capabilitiesOf } from '../../src/domain/capabilities';
import { TollgateError } from '../../src/domain/errors';
import { toCustomerCapabilities, toCustomerSafe } from '../../src/portal/customer-safe';
import { NO_WORK } from '../../src/domain/provider-work';

test('a declined card is said without the provider’s code and request', () => {
  const sentence = 'The card has expired, so nothing was changed.';
  const traced = new TollgateError('payment_declined', `${sentence} (card_declined, request req_8Xk2)`);
  expect(toCustomerSafe(traced)).toMatchObject({ detail: sentence, extra: { reason: sentence } });
});

test.each(['key_unavailable', 'credential_corrupt'] as const)('%s is nobody’s but the operator’s', (code) => {
  const safe = toCustomerSafe(
    new TollgateError(code, 'The key "k1" of conn_1 is not held.', { retryAfter: 30 }),
  );
  expect(safe).toMatchObject({ code: 'internal_error', status: 500, retryAfter: 30 });
  expect(safe.detail).not.toContain('conn_1');
});

test('a customer does not read that a connection is disabled', () => {
  const view = {
    ...({
      provider: 'provider_a',
      status: 'active',
      currentPeriodEnd: 2,
      providerReference: 'sub_1',
    } as const),
    cancelAtPeriodEnd: false,
    cancelAt: null,
    paymentDueAt: null,
    pastDueSince: null,
    work: NO_WORK,
    connectionDisabled: true,
  };
  const capabilities = capabilitiesOf(view, 1);
  expect(capabilities.cancel).toMatchObject(CONNECTION_DISABLED);
  expect(toCustomerCapabilities(capabilities).cancel).toMatchObject({ available: false, reasonCode: null });
  expect(JSON.stringify(toCustomerCapabilities(capabilities))).not.toContain('disabled');
});
