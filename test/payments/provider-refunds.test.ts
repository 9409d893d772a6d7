import { randomUUID } from 'node:crypto';
import { createRefundActivities } from '../../activities/refund';
import { createRefundSteps } from '../../src/payments/refund-steps';
import { providerA } from '../../src/providers/provider-a/adapter';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { PAYMENT_PROVIDERS, ProviderPayments, type CollectedPayment } from './provider-payments';

/** Refunds at the simulated providers A, B and C: one effect there and one row here, whatever is lost in between. */
const world = useStarted(() => ProviderPayments.start());
afterEach(() => {
  world.simulators.core.faults.clear();
});

function refund(payment: CollectedPayment, amount?: number, key: string = randomUUID()) {
  const { currency } = world.calls[payment.provider];
  const body = {
    paymentId: payment.paymentId,
    ...(amount !== undefined && { amount: { amount: String(amount), currency } }),
  };
  return world.operator.post('/api/billing/refunds', { body, headers: { 'Idempotency-Key': key } });
}

/** Time after which a request can no longer be in flight, whichever worker's clock says so (milliseconds). */
const LATER_MS = { provider_a: 180_000, provider_b: 180_000, provider_c: 480_000 } as const;

/** Repeats the request by then. @param ahead milliseconds */
async function refundLater(
  payment: CollectedPayment,
  amount: number,
  key: string,
  ahead: number = LATER_MS[payment.provider],
) {
  world.service.clock.ahead = ahead;
  try {
    return await refund(payment, amount, key);
  } finally {
    world.service.clock.ahead = 0;
  }
}

/**
 * Requires that the provider's refunds and ours are the same, each recorded once under its reference. @returns their
 * amounts
 */
async function agreed({ provider, reference, paymentId }: CollectedPayment): Promise<number[]> {
  await world.pass(60_000);
  const there = await world.calls[provider].refunds(reference);
  const here = await world.refunds(paymentId);
  expect(here.filter(({ status }) => status === 'pending')).toEqual([]);
  const succeeded = here.filter(({ status }) => status === 'succeeded');
  const names = (refunds: { reference?: string; id?: string }[], of: 'reference' | 'id') =>
    refunds.map((one) => one[of]).sort();
  expect(names(succeeded, 'reference')).toEqual(names(there, 'id'));
  const amounts = there.map(({ amount }) => amount).sort((one, other) => one - other);
  expect(succeeded.map(({ amount }) => Number(amount))).toEqual(amounts);
  return amounts;
}

/** Returns the types of the webhook messages about the payment's refunds, in order of their sequence. */
async function messagesOf(paymentId: string): Promise<string[]> {
  const rows = await world.service.database.query<{ type: string }>(
    `SELECT m.type FROM tollgate.webhook_messages m JOIN tollgate.refunds r ON r.id = m.resource_id
      WHERE r.payment_id = $1 ORDER BY m.resource_id, m.sequence`,
    [paymentId],
  );
  return rows.map(({ type }) => type);
}

/**
 * Makes the next request to refund the payment fail, with (`cut_after_commit`) or without (`answer_500`) taking
 * effect; its outcome is not reported.
 */
function fail(payment: CollectedPayment, fault: 'cut_after_commit' | 'answer_500', times = 1): void {
  const { core } = world.simulators;
  const provider = ({ provider_a: 'a', provider_b: 'b', provider_c: 'c' } as const)[payment.provider];
  const path = world.calls[payment.provider].refundPath(payment.reference);
  // A's client retries on its own when the connection is cut.
  const most = provider === 'a' && fault === 'cut_after_commit' ? 2 * times : times;
  core.faults.set({ provider, path, fault, times: most });
}

/** Drops the webhooks of `work` until they are sent deliberately. @returns their ids */
async function withoutWebhooks(work: () => Promise<void>): Promise<string[]> {
  const { outbox } = world.simulators.core;
  const before = new Set(outbox.deliveries.map(({ id }) => id));
  outbox.switches.drop = true;
  try {
    await work();
  } finally {
    outbox.switches.drop = false;
  }
  return outbox.deliveries.map(({ id }) => id).filter((id) => !before.has(id));
}

async function tell(ids: readonly string[]): Promise<void> {
  for (const id of ids) world.simulators.core.outbox.resend(id);
  await world.arrive();
}

/** Restores what is known here of the payment's refunds to a moment at which their commands had just been accepted. */
async function restoreBefore(paymentId: string): Promise<void> {
  const ofPayment = 'SELECT id FROM tollgate.refunds WHERE payment_id = $1';
  const { database } = world.service;
  await database.query("SET session_replication_role = 'replica'");
  for (const statement of [
    "DELETE FROM tollgate.idempotency_answers WHERE idempotency_key IN (SELECT idempotency_key FROM tollgate.operations WHERE target_id = $1 AND kind = 'refund')",
    "UPDATE tollgate.operations SET status = 'accepted', finished_at = NULL WHERE target_id = $1 AND kind = 'refund'",
    `DELETE FROM tollgate.provider_references WHERE target_id IN (${ofPayment})`,
    'DELETE FROM tollgate.refunds WHERE payment_id = $1',
  ])
    await database.query(statement, [paymentId]);
  await database.query('RESET session_replication_role');
}

/** Restores it to a moment before the commands. @returns the ids of the refunds that are not known any more */
async function restoreBeforeCommands(paymentId: string): Promise<string[]> {
  const lost = (await world.refunds(paymentId)).map(({ id }) => id);
  await restoreBefore(paymentId);
  const ofPayment = "DELETE FROM tollgate.operations WHERE target_id = $1 AND kind = 'refund'";
  await world.service.database.query(ofPayment, [paymentId]);
  return lost;
}

describe('a refund of the dashboard of provider A that fails while an equal one of ours has no answer', () => {
  const account = () => {
    const { secretKey = '' } = world.calls.provider_a.secrets;
    return world.simulators.providers.a.account({ secretKey });
  };
  const stands = async ({ paymentId }: CollectedPayment) =>
    (await world.refunds(paymentId)).map(({ status, reference }) => [status, reference]);

  test('is none of ours: ours is made', async () => {
    const payment = await world.collect('provider_a');
    const key = randomUUID();
    let failed = '';
    await withoutWebhooks(async () => {
      fail(payment, 'cut_after_commit');
      expect((await refund(payment, 700, key)).status).toBe(202);
      failed = await world.calls.provider_a.refund(payment.reference, 700);
    });
    account().settleRefund(failed, 'failed');
    await world.arrive();
    expect(await stands(payment)).toEqual([['pending', null]]);
    expect((await refundLater(payment, 700, key)).body).toMatchObject({ status: 'succeeded' });
    const ours = (await world.calls.provider_a.refunds(payment.reference)).find(({ id }) => id !== failed);
    expect(await stands(payment)).toEqual([
      ['failed', failed],
      ['succeeded', ours?.id],
    ]);
  });

  test('and was taken for ours while it was pending: ours is made', async () => {
    const payment = await world.collect('provider_a');
    account().setRefundsPending(true);
    let failed = '';
    const events = await withoutWebhooks(async () => {
      failed = await world.calls.provider_a.refund(payment.reference, 700);
    });
    account().setRefundsPending(false);
    // The request is under way until the webhooks below have been read.
    const refundPayment = providerA.refundPayment.bind(providerA);
    let arrive: () => void = () => undefined;
    const isRead = new Promise<void>((resolve) => (arrive = resolve));
    const sending = jest.spyOn(providerA, 'refundPayment').mockImplementationOnce(async (...request) => {
      await isRead;
      return refundPayment(...request);
    });
    const requested = refund(payment, 700);
    try {
      const asked = 'SELECT id FROM tollgate.refunds WHERE payment_id = $1 AND failure IS NOT NULL';
      await until(async () => (await world.rows(asked, [payment.paymentId])).length > 0);
      await tell(events);
      account().settleRefund(failed, 'failed');
      await world.arrive();
      expect(sending).toHaveBeenCalledTimes(1);
    } finally {
      arrive();
      await requested;
      sending.mockRestore();
    }
    const ours = (await world.calls.provider_a.refunds(payment.reference)).find(({ id }) => id !== failed);
    expect(await stands(payment)).toEqual([
      ['failed', failed],
      ['succeeded', ours?.id],
    ]);
  });
});

test('a refund of provider A that has failed before it could be asked about is one, when its webhooks come late', async () => {
  const payment = await world.collect('provider_a');
  const { secretKey = '' } = world.calls.provider_a.secrets;
  const account = world.simulators.providers.a.account({ secretKey });
  const key = randomUUID();
  let made: string | undefined;
  const events = await withoutWebhooks(async () => {
    account.setRefundsPending(true);
    fail(payment, 'cut_after_commit');
    expect((await refund(payment, 700, key)).status).toBe(202);
    account.setRefundsPending(false);
    made = (await world.calls.provider_a.refunds(payment.reference))[0]?.id;
    account.settleRefund(made ?? '', 'failed');
    expect((await refundLater(payment, 700, key)).body).toMatchObject({ status: 'failed' });
  });
  await tell(events);
  expect(await world.refunds(payment.paymentId)).toMatchObject([{ status: 'failed', reference: made }]);
  expect(await messagesOf(payment.paymentId)).toEqual(['refund.pending', 'refund.failed']);
});

describe.each(PAYMENT_PROVIDERS)('%s', (provider) => {
  test.each(['once', 'subscription'] as const)(
    'a payment (%s) is refunded once, here and there',
    async (what) => {
      const payment = await world.collect(provider, what);
      const key = randomUUID();
      const answer = await refund(payment, 1000, key);
      // Provider C accepts a refund and decides later.
      expect(answer.status).toBe(provider === 'provider_c' ? 202 : 201);
      await world.arrive();
      expect(await agreed(payment)).toEqual([1000]);
      // Integrators are notified of a pending refund if the provider does not decide it at once.
      const undecided = answer.status === 202 ? ['refund.pending'] : [];
      expect(await messagesOf(payment.paymentId)).toEqual([...undecided, 'refund.succeeded']);
      const again = await refund(payment, 1000, key);
      const [there] = await world.calls[provider].refunds(payment.reference);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
      expect(again.body).toMatchObject({
        status: 'succeeded',
        provider,
        connectionId: world.connections[provider],
        reference: there?.id,
      });
      expect(await agreed(payment)).toEqual([1000]);
      expect((await refund(payment)).status).toBeLessThan(203);
      expect(await agreed(payment)).toEqual([1000, 1900]);
      expect((await refund(payment)).body).toMatchObject({ code: 'refund_exceeds_payment' });
    },
  );

  test('an answer that is lost is settled by asking, and the refund is one', async () => {
    const payment = await world.collect(provider);
    const key = randomUUID();
    const events = await withoutWebhooks(async () => {
      fail(payment, 'cut_after_commit');
      expect((await refund(payment, 700, key)).status).toBe(202);
    });
    expect(await world.refunds(payment.paymentId)).toMatchObject([{ status: 'pending', reference: null }]);
    expect((await refund(payment, 2300)).body).toMatchObject({ code: 'refund_exceeds_payment' });
    const sooner = await refund(payment, 700, key);
    // Without idempotency keys, the earlier request may still arrive at the provider: not even a worker whose clock is
    // minutes ahead repeats it.
    if (provider === 'provider_c') {
      expect(sooner.status).toBe(202);
      expect((await refundLater(payment, 700, key, 240_000)).status).toBe(202);
      expect(await world.refunds(payment.paymentId)).toMatchObject([{ reference: null }]);
    }
    await withoutWebhooks(async () => {
      await refundLater(payment, 700, key);
    });
    const [known] = await world.refunds(payment.paymentId);
    expect(known?.reference).toEqual(expect.any(String));
    await tell(events);
    expect(await agreed(payment)).toEqual([700]);
  });

  test('the event of a refund names its request, and the event of the webhook that ends it the delivery', async () => {
    const payment = await world.collect(provider);
    let requestId = '';
    const events = await withoutWebhooks(async () => {
      fail(payment, 'cut_after_commit');
      const asked = await refund(payment, 700);
      expect(asked.status).toBe(202);
      requestId = asked.headers.get('request-id') ?? '';
    });
    await tell(events);
    expect(await agreed(payment)).toEqual([700]);
    const { body } = await world.operator.get('/api/developer-events', { query: { requestId, take: '200' } });
    const types = (body['data'] as { type: string }[]).map(({ type }) => type);
    expect([...new Set(types)]).toEqual(['REFUND_RECORDED']);
  });

  test('credentials of another account say nothing of what was made in the first: it is one once those are back', async () => {
    const payment = await world.collect(provider);
    const key = randomUUID();
    const events = await withoutWebhooks(async () => {
      fail(payment, 'cut_after_commit');
      expect((await refund(payment, 700, key)).status).toBe(202);
    });
    await world.useOtherAccount(provider);
    await withoutWebhooks(async () => {
      expect((await refundLater(payment, 700, key)).status).toBe(202);
    });
    expect(await world.refunds(payment.paymentId)).toMatchObject([{ status: 'pending', reference: null }]);
    await world.useOwnAccount(provider);
    await withoutWebhooks(async () => {
      await refundLater(payment, 700, key, 2 * LATER_MS[provider]);
    });
    await tell(events);
    expect(await agreed(payment)).toEqual([700]);
  });

  // The whole payment can be refunded only once, so a second row of it would be refused.
  test.each([
    ['before', 2900],
    ['after', 700],
  ])(
    'a refund that a restored database has yet to make, and whose webhooks come %s that, is one',
    async (when, amount) => {
      const payment = await world.collect(provider);
      const key = randomUUID();
      const events = await withoutWebhooks(async () => {
        await refund(payment, amount, key);
      });
      await restoreBefore(payment.paymentId);
      // Provider A forgets its keys after a day.
      const { secretKey = '' } = world.calls.provider_a.secrets;
      if (provider === 'provider_a') world.simulators.providers.a.account({ secretKey }).forgetKeys();
      if (when === 'before') await tell(events);
      await refundLater(payment, amount, key);
      if (when === 'after') await tell(events);
      expect(await agreed(payment)).toEqual([amount]);
      const ofPayment = "SELECT id FROM tollgate.operations WHERE target_id = $1 AND kind = 'refund'";
      const [operation] = await world.rows<{ id: string }>(ofPayment, [payment.paymentId]);
      const id = operation?.id.replace('op_', 'ref_');
      expect(await world.refunds(payment.paymentId)).toMatchObject([{ id }]);
      const answer = await refund(payment, amount, key);
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({ id, status: 'succeeded' });
    },
  );

  test('a refund whose command a restored database does not know keeps its id', async () => {
    const payment = await world.collect(provider);
    const events = await withoutWebhooks(async () => {
      await refund(payment, 700);
      await world.pass(60_000);
    });
    const lost = await restoreBeforeCommands(payment.paymentId);
    await tell(events);
    expect(await agreed(payment)).toEqual([700]);
    expect((await world.refunds(payment.paymentId)).map(({ id }) => id)).toEqual(lost);
  });

  test('a refund whose command a restored database does not know is not taken for a later one of its amount', async () => {
    const payment = await world.collect(provider);
    const events = await withoutWebhooks(async () => {
      await refund(payment, 700);
      await world.pass(60_000);
    });
    const [lost] = await restoreBeforeCommands(payment.paymentId);
    const key = randomUUID();
    fail(payment, 'answer_500');
    expect((await refund(payment, 700, key)).status).toBe(202);
    await tell(events);
    const stands = async () =>
      (await world.refunds(payment.paymentId)).map(({ id, status }) => [id === lost, status]).sort();
    expect(await stands()).toEqual([
      [false, 'pending'],
      [true, 'succeeded'],
    ]);
    const { secretKey = '' } = world.calls.provider_a.secrets;
    if (provider === 'provider_a') world.simulators.providers.a.account({ secretKey }).forgetKeys();
    await refundLater(payment, 700, key);
    expect(await agreed(payment)).toEqual([700, 700]);
  });

  test('a webhook that comes before our answer is of the refund that was asked for', async () => {
    const payment = await world.collect(provider);
    const key = randomUUID();
    fail(payment, 'cut_after_commit');
    // The answer was lost, but the webhook may still have reported the outcome before the request returns.
    expect([201, 202]).toContain((await refund(payment, 700, key)).status);
    expect(await agreed(payment)).toEqual([700]);
    expect((await refund(payment, 700, key)).status).toBe(201);
    expect(await agreed(payment)).toEqual([700]);
  });

  test('a provider that fails before it does anything is asked again, and the refund is one', async () => {
    const payment = await world.collect(provider);
    const key = randomUUID();
    fail(payment, 'answer_500');
    expect((await refund(payment, 700, key)).status).toBe(202);
    // A repeats its first answer to a key for a day, and a refund is never sent under another key.
    const { secretKey = '' } = world.calls.provider_a.secrets;
    if (provider === 'provider_a') {
      expect((await refundLater(payment, 700, key)).status).toBe(202);
      world.simulators.providers.a.account({ secretKey }).forgetKeys();
    }
    await refundLater(payment, 700, key);
    expect(await agreed(payment)).toEqual([700]);
  });

  test.each([1, 2, 3])(
    'equal and other refunds, of ours and of the dashboard, told three times in order %s',
    async (seed) => {
      const payment = await world.collect(provider);
      const keys = [randomUUID(), randomUUID(), randomUUID()];
      await world.shuffled(seed, async () => {
        fail(payment, 'cut_after_commit', 2);
        for (const key of keys) await refund(payment, 500, key);
        await world.calls[provider].refund(payment.reference, 500);
        await world.calls[provider].refund(payment.reference, 300);
      });
      for (const key of keys) await refundLater(payment, 500, key);
      expect(await agreed(payment)).toEqual([300, 500, 500, 500, 500]);
    },
  );

  test('of two refunds of one amount, each ends under its own name', async () => {
    const payment = await world.collect(provider);
    const [first, second] = [randomUUID(), randomUUID()];
    fail(payment, 'cut_after_commit', 2);
    const ofFirst = await withoutWebhooks(async () => {
      await refund(payment, 500, first);
    });
    const ofSecond = await withoutWebhooks(async () => {
      await refund(payment, 500, second);
    });
    // The second's webhook arrives first, and names the second.
    await tell(ofSecond);
    await withoutWebhooks(async () => {
      await refundLater(payment, 500, second);
    });
    await tell(ofFirst);
    await refundLater(payment, 500, first);
    expect(await agreed(payment)).toEqual([500, 500]);
  });

  // B has no list of refunds that would say the reference before its webhook is sent.
  if (provider !== 'provider_b')
    test('of two refunds of one amount, the one that never came to the provider is made after all', async () => {
      const payment = await world.collect(provider);
      const [first, second] = [randomUUID(), randomUUID()];
      fail(payment, 'answer_500');
      expect((await refund(payment, 500, first)).status).toBe(202);
      const { secretKey = '' } = world.calls.provider_a.secrets;
      if (provider === 'provider_a') world.simulators.providers.a.account({ secretKey }).forgetKeys();
      const ofSecond = await withoutWebhooks(async () => {
        fail(payment, 'cut_after_commit');
        await refund(payment, 500, second);
        await world.pass(60_000);
      });
      // The first refund was taken for it by the amount, as before our id was read, and ends with it.
      const [there] = await world.calls[provider].refunds(payment.reference);
      await world.rows(
        `INSERT INTO tollgate.provider_references (workspace_id, environment, provider, kind, reference, connection_id, target_id, created_at)
       SELECT workspace_id, environment, $2, 'refund', $3, $4, id, now() FROM tollgate.refunds
        WHERE payment_id = $1 ORDER BY created_at LIMIT 1`,
        [payment.paymentId, provider, there?.id, world.connections[provider]],
      );
      await tell(ofSecond);
      const [taken] = await world
        .refunds(payment.paymentId)
        .then((all) => all.filter(({ reference }) => reference));
      expect(taken?.status).toBe('succeeded');
      await withoutWebhooks(async () => {
        await refundLater(payment, 500, second);
      });
      // The workflow of the first asked while it counted as made, and reports that only now.
      const refundSteps = createRefundSteps({
        database: world.service.open('tollgate_worker', 2),
        clock: world.service.clock,
      });
      const activities = createRefundActivities({ refundSteps });
      const late = { refundId: String(taken?.id), outcome: { kind: 'done' }, command: null } as const;
      expect(await activities.completeRefund({ ...world.scope, ...late })).toMatchObject({
        status: 'pending',
      });
      const stands = async () =>
        (await world.refunds(payment.paymentId)).map(({ id, status }) => [id === taken?.id, status]);
      expect(await stands()).toEqual([
        [true, 'pending'],
        [false, 'succeeded'],
      ]);
      world.service.clock.ahead = 2 * LATER_MS[provider];
      await world.service.direct.catchUpRefund(world.scope, String(taken?.id));
      world.service.clock.ahead = 0;
      expect(await agreed(payment)).toEqual([500, 500]);
    });

  test('a refund that was made at the dashboard is recorded, also where it is all that was paid', async () => {
    const payment = await world.collect(provider);
    await world.shuffled(7, async () => {
      await world.calls[provider].refund(payment.reference, 2900);
    });
    expect(await agreed(payment)).toEqual([2900]);
    const read = await world.operator.get(`/api/billing/payments/${payment.paymentId}`);
    expect(read.body).toMatchObject({ refundableAmount: { amount: '0' } });
  });

  test('a refund of the dashboard is recorded by whichever of its webhooks is the only one', async () => {
    for (let only = 0, count = 1; only < count; only += 1) {
      const payment = await world.collect(provider);
      const ids = await withoutWebhooks(async () => {
        await world.calls[provider].refund(payment.reference, 900);
      });
      await tell(ids.slice(only, only + 1));
      expect([only, await agreed(payment)]).toEqual([only, [900]]);
      count = ids.length;
    }
  });

  test('a refund that the provider declines because it has returned more is refused with the reason', async () => {
    const payment = await world.collect(provider);
    const events = await withoutWebhooks(async () => {
      await world.calls[provider].refund(payment.reference, 2900);
    });
    const answer = await refund(payment, 1000);
    expect([answer.status, answer.body['code']]).toEqual([409, 'refund_exceeds_payment']);
    expect(await world.refunds(payment.paymentId)).toContainEqual(
      expect.objectContaining({ amount: '1000', status: 'failed', reference: null }),
    );
    await tell(events);
    expect(await agreed(payment)).toEqual([2900]);
  });

  test('a connection that is disabled, or has no credentials, refuses before anything is reserved', async () => {
    const payment = await world.collect(provider);
    const path = `/api/provider-connections/${world.connections[provider]}`;
    await world.operator.patch(path, { body: { disabled: true } });
    const disabled = await refund(payment, 100);
    expect([disabled.status, disabled.body['code']]).toEqual([409, 'connection_disabled']);
    await world.operator.patch(path, { body: { disabled: false } });
    const hints = "UPDATE tollgate.provider_connections SET secret_hints = $2 WHERE id = $1 RETURNING ''";
    const [row] = await world.rows<{ secret_hints: object }>(
      'SELECT secret_hints FROM tollgate.provider_connections WHERE id = $1',
      [world.connections[provider]],
    );
    await world.rows(hints, [world.connections[provider], '{}']);
    const incomplete = await refund(payment, 100);
    await world.rows(hints, [world.connections[provider], JSON.stringify(row?.secret_hints)]);
    expect([incomplete.status, incomplete.body['code']]).toEqual([409, 'provider_refused']);
    expect(await world.refunds(payment.paymentId)).toEqual([]);
    expect(await world.calls[provider].refunds(payment.reference)).toEqual([]);
  });
});
