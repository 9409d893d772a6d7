import { Socket } from 'node:net';
import { PAYMENT_PROVIDERS } from '../../src/domain/provider';
import { createTestAdapters } from '../support/adapters';

test.each(PAYMENT_PROVIDERS)(
  '%s: each address of the provider has two seconds to connect',
  async (provider) => {
    const connect = jest.spyOn(Socket.prototype, 'connect');
    // Nothing listens there.
    await createTestAdapters()[provider].testConnection({
      connectionId: 'con_1',
      apiMode: 'sandbox',
      secretVersion: 1,
      secrets: { secretKey: 'sk_test_1', clientId: 'client', clientSecret: 'secret', webhookId: 'WH-1' },
      settings: {},
      baseUrl: 'http://localhost:1',
      timeoutMs: 5_000,
    });
    const options = connect.mock.calls.map(([normalized]) => (normalized as unknown as [object])[0]);
    connect.mockRestore();
    expect(options).not.toEqual([]);
    for (const option of options) expect(option).toMatchObject({ autoSelectFamilyAttemptTimeout: 2_000 });
  },
);
