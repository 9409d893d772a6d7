import { createServer, type ServerResponse } from 'node:http';
import type { ConnectionAccess } from '../../../src/providers/connection-access';
import { providerC } from '../../../src/providers/provider-c/adapter';
import { DAY_MS } from '../../../src/domain/instant';
import {
  EMAIL,
  only,
  startProviderC,
  type Delivered,
  type Harness,
} from '../../simulators/provider-c-harness';
import { listenLocally } from '../../support/listen-locally';

let c: Harness;
beforeEach(async () => {
  c = await startProviderC();
});
afterEach(() => c.stop());

const verified = ({ raw, rawHeaders }: Delivered) =>
  providerC.verifyWebhook(c.access, { bytes: raw, headers: {}, rawHeaders, receivedAt: 0 });

async function subscribe(act = 'pay') {
  await c.checkout({ plan: 'PLN_monthly' }, act);
  const code = String(only(await c.delivered(), 'subscription.create').data['subscription_code']);
  const { body } = await c.call('GET', `/subscription/${code}`);
  return { code, token: String(body.data['email_token']) };
}

describe('the adapter of provider C reads', () => {
  it('a subscription through its life', async () => {
    const begun = c.core.clock.now();
    const { code, token } = await subscribe();
    const state = async () => {
      const outcome = await providerC.fetchSubscription(c.access, code);
      return outcome.kind === 'done' ? outcome.value : outcome;
    };
    expect(await state()).toMatchObject({
      reference: code,
      status: 'active',
      planReference: 'PLN_monthly',
      quantity: 1,
      cancelAtPeriodEnd: false,
      currentPeriodStart: null,
      beganAt: begun,
    });
    await c.core.clock.advanceTo(Date.parse('2027-03-01T00:00:00Z'));
    expect(await state()).toMatchObject({
      status: 'active',
      currentPeriodStart: Date.parse('2027-02-28T09:00:00Z'),
      currentPeriodEnd: Date.parse('2027-03-28T09:00:00Z'),
    });
    c.controls.setCards(EMAIL, 'decline');
    await c.core.clock.advanceTo(Date.parse('2027-03-29T00:00:00Z'));
    expect(await state()).toMatchObject({ status: 'past_due', currentPeriodStart: null });
    await c.call('POST', '/subscription/disable', { code, token });
    expect(await state()).toMatchObject({ cancelAtPeriodEnd: true, currentPeriodEnd: null });
    await c.core.clock.advanceTo(Date.parse('2027-04-29T00:00:00Z'));
    expect(await state()).toMatchObject({
      status: 'cancelled',
      cancelAtPeriodEnd: false,
      currentPeriodEnd: null,
    });
  });

  it('a payment by its reference and by its number', async () => {
    const { reference } = await c.checkout({ amount: 12_345, metadata: '{"a":1}' }, 'pay');
    const event = providerC.readEvent(only(await c.delivered(), 'charge.success').raw);
    const expected = {
      kind: 'done',
      value: { reference, kind: 'payment', amount: 12_345n, status: 'succeeded' },
    };
    const charge = event.references.find(({ kind }) => kind === 'charge')?.reference ?? '';
    expect(await providerC.fetchPayment(c.access, 'payment', reference)).toMatchObject(expected);
    expect(await providerC.fetchPayment(c.access, 'checkout', reference)).toMatchObject(expected);
    expect(await providerC.fetchPayment(c.access, 'charge', charge)).toMatchObject(expected);
    expect((await providerC.fetchPayment(c.access, 'capture', reference)).kind).toBe('unsupported');
  });

  it('what was not paid as pending or failed', async () => {
    const left = await c.checkout({ amount: 100 }, 'abandon');
    const declined = await c.checkout({ amount: 100 }, 'decline');
    const status = async ({ reference }: { reference: string }) => {
      const outcome = await providerC.fetchPayment(c.access, 'payment', reference);
      return outcome.kind === 'done' ? outcome.value.status : outcome.kind;
    };
    expect([await status(left), await status(declined)]).toEqual(['pending', 'failed']);
  });

  it('a refund by its number, with the payment that it is of', async () => {
    const { reference } = await c.checkout({ amount: 10_000 }, 'pay');
    const { body } = await c.call('POST', '/refund', { transaction: reference, amount: 2_500 });
    expect(await providerC.fetchRefund(c.access, String(body.data['id']))).toEqual({
      kind: 'done',
      value: {
        reference: String(body.data['id']),
        of: { kind: 'payment', reference },
        amount: 2_500n,
        currency: 'NGN',
        status: 'pending',
        totalRefunded: null,
        createdAt: expect.any(Number) as number,
      },
    });
  });

  it('what is not there as not found, and without a call where the name cannot be one', async () => {
    const missing = { kind: 'declined', code: 'not_found' };
    expect(await providerC.fetchSubscription(c.access, 'SUB_/../x?y')).toMatchObject(missing);
    expect(await providerC.fetchPayment(c.access, 'payment', 'nothing')).toMatchObject(missing);
    expect(await providerC.fetchPayment(c.access, 'charge', '1')).toMatchObject(missing);
    expect(await providerC.fetchRefund(c.access, '999999999')).toMatchObject(missing);
    const nowhere = { ...c.access, baseUrl: 'http://127.0.0.1:1' };
    expect(await providerC.fetchRefund(nowhere, 'x')).toMatchObject(missing);
  });
});

describe('events that are equal to the byte', () => {
  const key = async (delivered: Delivered | undefined) => {
    if (delivered === undefined) throw new Error('Nothing was delivered.');
    const outcome = await providerC.dedupeKeyNow(c.access, providerC.readEvent(delivered.raw));
    return outcome.kind === 'done' ? outcome.value : outcome.kind;
  };

  it('are two for two equal partial refunds, and one for one that is delivered twice', async () => {
    const { reference } = await c.checkout({ amount: 10_000 }, 'pay');
    await c.delivered();
    const refund = { transaction: reference, amount: 4_000 };
    await c.call('POST', '/refund', refund);
    const [first] = await c.delivered();
    const firstKey = await key(first);
    expect(await key(first)).toBe(firstKey);
    await c.call('POST', '/refund', refund);
    const [second] = await c.delivered();
    expect(second?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
    expect(await key(second)).not.toBe(firstKey);
    await c.core.clock.advanceTo(c.core.clock.now() + DAY_MS);
    const all = await providerC.fetchRefundsOf(c.access, reference);
    expect(all).toMatchObject({
      kind: 'done',
      value: [
        { amount: 4_000n, status: 'succeeded', totalRefunded: 4_000n },
        { amount: 4_000n, status: 'succeeded', totalRefunded: 8_000n },
      ],
    });
  });

  it('are two when a subscription is stopped, taken back and stopped again', async () => {
    const { code, token } = await subscribe();
    await c.call('POST', '/subscription/disable', { code, token });
    const [first] = await c.delivered();
    const firstKey = await key(first);
    expect(await key(first)).toBe(firstKey);
    await c.core.clock.advanceTo(c.core.clock.now() + 1000);
    await c.call('POST', '/subscription/enable', { code, token });
    await c.call('POST', '/subscription/disable', { code, token });
    const [second] = await c.delivered();
    expect(second?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
    expect(await key(second)).not.toBe(firstKey);
  });

  it('have no key while the provider does not answer, and need no answer where the event says it all', async () => {
    const { reference } = await c.checkout({ amount: 10_000 }, 'pay');
    await c.call('POST', '/refund', { transaction: reference });
    const delivered = await c.delivered();
    c.core.faults.set({ provider: 'c', path: '/', fault: 'answer_500' });
    expect(await key(only(delivered, 'refund.pending'))).toBe('unknown');
    expect(await key(only(delivered, 'charge.success'))).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are all signed, whichever event it is', async () => {
    const { code, token } = await subscribe();
    const { reference } = await c.checkout({ amount: 100 }, 'pay');
    await c.call('POST', '/refund', { transaction: reference });
    await c.call('POST', '/subscription/disable', { code, token });
    await c.core.clock.advanceTo(c.core.clock.now() + 60 * DAY_MS);
    const delivered = await c.delivered();
    expect(delivered.length).toBeGreaterThan(4);
    for (const each of delivered) {
      expect(await verified(each)).toBe('valid');
      expect(providerC.readEvent(each.raw)).toMatchObject({ environment: 'sandbox' });
    }
  });
});

describe('the client of provider C', () => {
  /** Starts another provider, which answers each request with `answer`. */
  async function against(
    answer: (response: ServerResponse) => void,
    work: (access: ConnectionAccess) => Promise<void>,
  ): Promise<void> {
    const server = createServer((_request, response) => {
      answer(response);
    });
    const port = await listenLocally(server);
    try {
      await work({ ...c.access, baseUrl: `http://127.0.0.1:${port}/` });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
  const json = (status: number, body: unknown) => (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const fetched = (access: ConnectionAccess) => providerC.fetchPayment(access, 'payment', 'ref_1');
  const TRANSACTION = {
    id: 1,
    domain: 'test',
    status: 'success',
    reference: 'ref_1',
    amount: 1,
    currency: 'NGN',
  };

  it.each([
    ['a 500', json(500, { status: false, message: 'no' })],
    ['a 429', json(429, { status: false, message: 'slow down' })],
    ['no JSON', (response: ServerResponse) => response.end('<html>')],
    ['a cut line', (response: ServerResponse) => response.socket?.destroy()],
    [
      'a redirect',
      (response: ServerResponse) => {
        const body = JSON.stringify({ status: true, data: TRANSACTION });
        response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(body);
      },
    ],
    ['a wrong type', json(200, { status: true, data: { ...TRANSACTION, id: 'one' } })],
    ['another transaction', json(200, { status: true, data: { ...TRANSACTION, reference: 'ref_2' } })],
    ['a status that is not known', json(200, { status: true, data: { ...TRANSACTION, status: 'new' } })],
    ['a fraction', json(200, { status: true, data: { ...TRANSACTION, amount: 1.5 } })],
  ])('does not know after %s', async (_what, answer) => {
    await against(answer, async (access) => {
      expect((await fetched(access)).kind).toBe('unknown');
    });
  });

  it('says where an answer’s shape differs, and not what it held', async () => {
    await against(json(200, { status: true, data: { ...TRANSACTION, id: 'a-secret' } }), async (access) => {
      const outcome = await fetched(access);
      expect(outcome).toMatchObject({
        kind: 'unknown',
        reason: expect.stringContaining('data.id') as unknown,
      });
      expect(JSON.stringify(outcome)).not.toContain('a-secret');
    });
  });

  it('quotes a long refusal without the part of a secret at which it is cut', async () => {
    const message = `${'x'.repeat(190)} ${String(c.access.secrets['secretKey'])}`;
    await against(json(400, { status: false, message }), async (access) => {
      const outcome = await fetched(access);
      expect(outcome).toMatchObject({ kind: 'declined', reason: `${'x'.repeat(190)} ••••` });
    });
  });

  it('passes members that it does not know, and amounts as text', async () => {
    const body = { status: true, data: { ...TRANSACTION, amount: '1', brand_new: [1] }, more: 1 };
    await against(json(200, body), async (access) => {
      expect(await fetched(access)).toMatchObject({ kind: 'done', value: { amount: 1n } });
    });
  });

  it('takes a refusal whose status is text, and a refused key', async () => {
    await against(json(400, { status: 'false', message: 'no', code: 'invalid_params' }), async (access) => {
      expect(await fetched(access)).toMatchObject({ kind: 'declined', code: 'invalid_params' });
    });
    await against(
      json(400, { status: false, message: 'Transaction reference not found.' }),
      async (access) => {
        expect(await fetched(access)).toMatchObject({ kind: 'declined', code: 'not_found' });
      },
    );
    await against(json(400, { status: false }), async (access) => {
      expect(await fetched(access)).toMatchObject({ kind: 'declined', code: 'http_400' });
    });
    const stranger = { ...c.access, secrets: { secretKey: 'sk_test_stranger' } };
    expect(await fetched(stranger)).toMatchObject({ kind: 'declined', code: 'authentication_failed' });
    expect(await fetched({ ...c.access, secrets: {} })).toMatchObject({ code: 'connection_incomplete' });
  });

  it('does not report a firewall that refuses the request as a refused key', async () => {
    await against(
      (response) => {
        response.writeHead(403, { 'content-type': 'text/plain' }).end('error code: 1010');
      },
      async (access) => {
        expect(await fetched(access)).toMatchObject({
          kind: 'declined',
          reason: expect.stringContaining("is not provider C's own: a firewall may have refused") as string,
        });
      },
    );
  });
});
