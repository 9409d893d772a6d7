import { eventOf } from '../webhooks/fake-provider';
import { NEXT_END, PERIOD_END, paymentOf, refundOf, WebhookWorkspace } from '../webhooks/webhook-workspace';
import { useStarted } from '../support/use-started';

const ours = useStarted(() => WebhookWorkspace.start());
beforeAll(async () => {
  await ours.service.database.query(`
    CREATE TABLE public.writes (name text, transaction xid8, reason text, workspace text);
    CREATE FUNCTION public.note_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
      INSERT INTO public.writes VALUES (TG_TABLE_NAME, pg_current_xact_id(), current_setting('tollgate.reason', true),
        current_setting('tollgate.workspace_id', true));
      RETURN NULL;
    END $$;`);
  for (const table of WATCHED) {
    await ours.service.database.query(
      `CREATE TRIGGER note_write AFTER INSERT OR UPDATE ON tollgate.${table} FOR EACH ROW EXECUTE FUNCTION public.note_write()`,
    );
  }
});

const WATCHED = [
  'webhook_events',
  'webhook_failures',
  'subscriptions',
  'payments',
  'refunds',
  'settlements',
  'developer_events',
];

interface Write {
  name: string;
  transaction: string;
  reason: string;
  workspace: string;
}

/** Returns the rows written by one call. */
async function writesOf(call: () => Promise<unknown>): Promise<Write[]> {
  await ours.service.database.query('TRUNCATE public.writes');
  await call();
  const writes = await ours.service.database.query<Write>('SELECT * FROM public.writes');
  // A partition's trigger fires under the partition's name.
  return writes.map((write) => ({ ...write, name: write.name.replace(/_(?:\d{8}|default)$/, '') }));
}

test('the webhook, subscription, payment, refund and audit are one workspace transaction with the reason SYSTEM', async () => {
  const { reference } = await ours.subscribe();
  ours.say(reference, { currentPeriodStart: PERIOD_END, currentPeriodEnd: NEXT_END });
  ours.provider.payments.set('pi_tx', paymentOf('pi_tx', { subscriptionReference: reference }));
  ours.provider.refunds.set('re_tx', refundOf('re_tx', 'pi_tx'));
  const references = [{ kind: 'subscription' as const, reference }];
  const event = eventOf('refund.changed', { references, refund: refundOf('re_tx', 'pi_tx') });
  const writes = await writesOf(() => ours.post(event));
  expect(new Set(writes.map(({ transaction }) => transaction)).size).toBe(1);
  expect(new Set(writes.map(({ reason }) => reason))).toEqual(new Set(['SYSTEM']));
  expect(new Set(writes.map(({ workspace }) => workspace))).toEqual(new Set([ours.workspace.workspaceId]));
  expect(new Set(writes.map(({ name }) => name))).toEqual(
    new Set(['webhook_events', 'subscriptions', 'payments', 'refunds', 'developer_events']),
  );
});

test('a settlement is recorded in one workspace transaction with the reason SYSTEM', async () => {
  const settlement = {
    reference: 'po_tx',
    amount: 2400n,
    currency: 'USD',
    fees: 0n,
    periodStart: PERIOD_END,
    periodEnd: Date.now() + 60_000,
  };
  const references = [{ kind: 'payout' as const, reference: 'po_tx' }];
  const writes = await writesOf(() => ours.post(eventOf('settlement.ready', { references, settlement })));
  expect(writes.map(({ name }) => name)).toContain('settlements');
  expect(new Set(writes.map(({ transaction, reason }) => `${transaction} ${reason}`)).size).toBe(1);
});

test('a webhook is told of as WEBHOOK_PROCESSED, by its provider, with what it changed', async () => {
  const { id, reference } = await ours.subscribe();
  ours.say(reference, { cancelAtPeriodEnd: true });
  const references = [{ kind: 'subscription' as const, reference }];
  const { body } = await ours.post(eventOf('subscription.not_renewing', { references }));
  const [event] = await ours.events('OK');
  expect(event).toMatchObject({
    source: 'provider_a',
    data: {
      webhookId: body['eventId'],
      connectionId: ours.connection,
      webhookStatus: 'applied',
      changes: [{ target: id, field: 'cancelAtPeriodEnd', from: 'false', to: 'true' }],
    },
  });
});

test('a failed signature and a failed processing are committed as failed events before the error', async () => {
  const event = eventOf('ignored');
  for (const [sending, failure, status] of [
    [{ secret: 'whsec_fake_wrong' }, 'signature', 400],
    [{ bytes: Buffer.from('no event') }, 'processing', 500],
  ] as const) {
    const before = (await ours.events('ERROR')).length;
    expect((await ours.post(event, sending)).status).toBe(status);
    const events = await ours.events('ERROR');
    expect(events).toHaveLength(before + 1);
    expect(events[0]).toMatchObject({
      source: 'provider_a',
      data: { failure, connectionId: ours.connection },
    });
  }
});
