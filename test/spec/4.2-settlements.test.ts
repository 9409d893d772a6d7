import { randomUUID } from 'node:crypto';
import { idOf, pointersOf } from '../catalog/offer';
import { eventsOf, owing, pay, read, refund, settle, usd } from '../payments/money';
import { dataOf } from '../support/billing';
import { idsOf } from '../support/events';
import { logIn, type OperatorClient } from '../support/operator';
import { untilTaken } from '../support/until-taken';
import { useService } from '../support/use-service';

/** Settlements of local billing: amounts received and refunded by the end of a period, each counted once. */
const service = useService({ commands: 'direct' });
let client: OperatorClient;
beforeEach(async () => {
  client = await logIn(service, { role: 'admin' });
});

const MAY = '2024-05-01T00:00:00.000Z';
const JUNE = '2024-06-01T00:00:00.000Z';
const JULY = '2024-07-01T00:00:00.000Z';

/** Records a payment of a new customer, received at the given time. */
async function received(receivedAt: string, amount = '2900', currency = 'USD'): Promise<string> {
  const { transactionId } = await owing(client, { price: { amount, currency } });
  return idOf(await pay(client, transactionId, { amount, currency }, { receivedAt }));
}

/** Records a refund, completed at the given time. */
async function refunded(paymentId: string, amount: string, completedAt: string): Promise<string> {
  const id = idOf(await refund(client, paymentId, amount));
  await service.database.query('UPDATE tollgate.refunds SET completed_at = $2 WHERE id = $1', [
    id,
    completedAt,
  ]);
  return id;
}

test('a settlement groups what came in and went back by the end of its period', async () => {
  const early = await received('2024-05-03T10:00:00Z');
  const late = await received('2024-05-31T23:59:59.999Z', '1000');
  const next = await received(JUNE, '500');
  const back = await refunded(early, '900', '2024-05-20T00:00:00Z');
  const settled = await settle(client, { periodStart: MAY, periodEnd: JUNE });
  expect([settled.status, settled.body]).toEqual([
    201,
    {
      id: expect.stringMatching(/^stl_/) as string,
      provider: 'internal',
      status: 'settled',
      connectionId: null,
      reference: null,
      currency: 'USD',
      periodStart: MAY,
      periodEnd: JUNE,
      paid: usd('3900'),
      refunded: usd('900'),
      fees: usd('0'),
      net: usd('3000'),
      unmatchedAmount: usd('0'),
      difference: null,
      createdAt: expect.any(String) as string,
    },
  ]);
  const id = String(settled.body['id']);
  expect(await read(client, 'settlements', id)).toEqual({
    ...settled.body,
    lines: [
      { kind: 'payment', id: early, amount: usd('2900'), at: '2024-05-03T10:00:00.000Z' },
      { kind: 'refund', id: back, amount: usd('900'), at: '2024-05-20T00:00:00.000Z' },
      { kind: 'payment', id: late, amount: usd('1000'), at: '2024-05-31T23:59:59.999Z' },
    ],
    unmatchedLines: [],
    linesMore: false,
  });
  expect(await read(client, 'payments', early)).toMatchObject({ settlementId: id });
  expect(await read(client, 'refunds', back)).toMatchObject({ settlementId: id });
  expect(await read(client, 'payments', next)).toMatchObject({ settlementId: null });
  const ofIt = await client.get('/api/billing/payments', { query: { settlementId: id } });
  expect(idsOf(ofIt.body).sort()).toEqual([early, late].sort());
  expect(await eventsOf(client, 'SETTLEMENT_RECORDED')).toMatchObject([
    {
      status: 'OK',
      source: 'console',
      message: `Settled 30.00 USD up to ${JUNE}: 3 lines.`,
      data: { settlementId: id, net: '3000', currency: 'USD' },
    },
  ]);
});

test('a payment that arrives after its period was settled is a line of the next settlement', async () => {
  const payment = await received('2024-05-03T00:00:00Z');
  idOf(await settle(client, { periodStart: MAY, periodEnd: JUNE }));
  const late = await received('2024-05-04T00:00:00Z', '100');
  const back = await refunded(payment, '2900', '2024-06-02T00:00:00Z');
  const next = await settle(client, { periodStart: JUNE, periodEnd: JULY });
  expect(next.body).toMatchObject({ paid: usd('100'), refunded: usd('2900'), net: usd('-2800') });
  const { lines } = await read(client, 'settlements', idOf(next));
  expect((lines as { id: string }[]).map((line) => line.id)).toEqual([late, back]);
  expect((await settle(client, { periodStart: MAY, periodEnd: JUNE })).body['code']).toBe(
    'settlement_overlaps',
  );
});

test('periods of a currency do not overlap; those of others may', async () => {
  await received('2024-05-03T00:00:00Z');
  await received('2024-05-03T00:00:00Z', '1451', 'JPY');
  await received('2024-05-03T00:00:00Z', '1451', 'KWD');
  const first = idOf(await settle(client, { periodStart: MAY, periodEnd: JUNE }));
  await received('2024-05-03T00:00:00Z');
  for (const period of [
    { periodStart: MAY, periodEnd: JUNE },
    { periodStart: '2024-05-31T23:59:59.999Z', periodEnd: JULY },
    { periodStart: '2024-04-01T00:00:00Z', periodEnd: '2024-05-01T00:00:00.001Z' },
    { periodStart: '2024-05-10T00:00:00Z', periodEnd: '2024-05-11T00:00:00Z' },
  ]) {
    const answer = await settle(client, period);
    expect([answer.status, answer.body['code']]).toEqual([409, 'settlement_overlaps']);
    expect(answer.body['settlementId']).toBe(first);
  }
  for (const currency of ['JPY', 'KWD']) {
    const other = await settle(client, { periodStart: MAY, periodEnd: JUNE, currency });
    expect(other.body).toMatchObject({ net: { amount: '1451', currency } });
  }
  expect((await settle(client, { periodStart: JUNE, periodEnd: JULY })).status).toBe(201);
});

test('nothing to settle is refused, and leaves the period free', async () => {
  const period = { periodStart: MAY, periodEnd: JUNE };
  await received(JUNE);
  const empty = await settle(client, period);
  expect([empty.status, empty.body['code']]).toEqual([409, 'settlement_empty']);
  await received('2024-05-03T00:00:00Z');
  expect((await settle(client, period)).status).toBe(201);
});

test('more than a settlement holds is refused, and a smaller period is settled', async () => {
  const most = '9'.repeat(18);
  for (let day = 1; day <= 10; day += 1) {
    await received(`2024-05-${String(day).padStart(2, '0')}T00:00:00Z`, most, 'CHF');
  }
  const all = await settle(client, { periodStart: MAY, periodEnd: JUNE, currency: 'CHF' });
  expect([all.status, all.body['code']]).toEqual([422, 'settlement_too_large']);
  expect(all.body['detail']).toContain(`payments to be settled add up to 99999999999999999.90 CHF`);
  const part = { periodStart: MAY, periodEnd: '2024-05-10T00:00:00Z', currency: 'CHF' };
  expect((await settle(client, part)).body).toMatchObject({ paid: { amount: '8999999999999999991' } });
});

test('settlements at once settle each amount once', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => received('2024-05-03T00:00:00Z')));
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => {
      const key = randomUUID();
      return untilTaken(() => settle(client, { periodStart: MAY, periodEnd: JUNE }, key));
    }),
  );
  expect(answers.map((answer) => answer.status).sort()).toEqual([
    201,
    ...Array.from({ length: 7 }, () => 409),
  ]);
  const [settled] = answers.filter((answer) => answer.status === 201);
  expect(settled?.body['paid']).toEqual(usd(String(2900 * ids.length)));
});

test('a settlement is made once for its key', async () => {
  await received('2024-05-03T00:00:00Z');
  const key = randomUUID();
  const period = { periodStart: MAY, periodEnd: JUNE };
  const first = await settle(client, period, key);
  const again = await settle(client, period, key);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  const other = await settle(client, { ...period, currency: 'EUR' }, key);
  expect(other.body['code']).toBe('idempotency_key_reused');
  const keyless = await client.post('/api/billing/settlements', { body: period });
  expect(keyless.body['code']).toBe('idempotency_key_required');
});

test('settlements are listed newest first', async () => {
  const ids: string[] = [];
  for (const currency of ['USD', 'EUR', 'JPY']) {
    await received('2024-05-03T00:00:00Z', '100', currency);
    ids.push(idOf(await settle(client, { periodStart: MAY, periodEnd: JUNE, currency })));
  }
  const newest = [...ids].reverse();
  const path = '/api/billing/settlements';
  expect(idsOf((await client.get(path)).body)).toEqual(newest);
  expect(idsOf((await client.get(path, { query: { currency: 'EUR' } })).body)).toEqual([ids[1]]);
  expect(dataOf(await client.get(path, { query: { provider: 'provider_a' } }))).toEqual([]);
  const first = await client.get(path, { query: { take: '2' } });
  const cursor = String(first.body['nextCursor']);
  const second = await client.get(path, { query: { take: '2', cursor } });
  expect([...idsOf(first.body), ...idsOf(second.body)]).toEqual(newest);
});

test.each([
  ['a period that ends before it begins', { periodStart: JUNE, periodEnd: MAY }, ['/periodEnd']],
  ['an empty period', { periodStart: MAY, periodEnd: MAY }, ['/periodEnd']],
  ['a period that is not over', { periodStart: MAY, periodEnd: '2999-01-01T00:00:00Z' }, ['/periodEnd']],
  ['a date without a time', { periodStart: '2024-05-01', periodEnd: JUNE }, ['/periodStart']],
  ['no such currency', { periodStart: MAY, periodEnd: JUNE, currency: 'XXX' }, ['/currency']],
])('%s is refused', async (_, body, pointers) => {
  const answer = await settle(client, body);
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect(pointersOf(answer)).toEqual(pointers);
});

test('another workspace and a lesser role are refused', async () => {
  await received('2024-05-03T00:00:00Z');
  const period = { periodStart: MAY, periodEnd: JUNE };
  const developer = await logIn(service, { role: 'developer', workspaceId: client.workspaceId });
  expect((await settle(developer, period)).body['code']).toBe('role_forbidden');
  const id = idOf(await settle(client, period));
  const stranger = await logIn(service, { role: 'owner' });
  expect((await read(stranger, 'settlements', id))['code']).toBe('settlement_not_found');
});
