import type { SubscriptionRequest } from '../../../src/providers/provider-operations';
import { providerC } from '../../../src/providers/provider-c/adapter';
import { EMAIL, only, startProviderC, type Harness } from '../../simulators/provider-c-harness';
import { refusal, withStub, type StubAnswer } from './stub-provider';

let c: Harness;
beforeEach(async () => {
  c = await startProviderC();
});
afterEach(() => c.stop());

const AFTER_THE_BOUNDARY = Date.parse('2027-03-01T00:00:00Z');

async function subscribe(act = 'pay'): Promise<string> {
  await c.checkout({ plan: 'PLN_monthly' }, act);
  return String(only(await c.delivered(), 'subscription.create').data['subscription_code']);
}
const request = (reference: string, repeated = false): SubscriptionRequest => ({
  key: 'op-1',
  repeated,
  reference,
  reason: 'Too dear.',
});
const cancel = (code: string, repeated = false) =>
  providerC.cancelSubscription(c.access, request(code, repeated));
const reactivate = (code: string, repeated = false) =>
  providerC.reactivateSubscription(c.access, request(code, repeated));
const events = async () => (await c.delivered()).map(({ event }) => event);
const stopped = (code: string) => ({
  kind: 'done',
  value: { reference: code, status: 'active', cancelAtPeriodEnd: true, currentPeriodEnd: null },
});
const renewing = (code: string) => ({
  kind: 'done',
  value: { reference: code, status: 'active', cancelAtPeriodEnd: false },
});
const ALREADY = 'Subscription with code: SUB_1 not found or already inactive';

describe('a renewal of provider C', () => {
  it('is stopped, once, and its event is about the same subscription', async () => {
    const code = await subscribe();
    expect(await cancel(code)).toMatchObject(stopped(code));
    const event = providerC.readEvent(only(await c.delivered(), 'subscription.not_renew').raw);
    expect(event.references).toContainEqual({ kind: 'subscription', reference: code });
    expect(await cancel(code, true)).toMatchObject(stopped(code));
    expect(await cancel(code)).toMatchObject(stopped(code));
    expect(await events()).toEqual([]);
  });

  it('is stopped while a charge has failed', async () => {
    const code = await subscribe();
    c.controls.setCards(EMAIL, 'decline');
    await c.core.clock.advanceTo(AFTER_THE_BOUNDARY);
    expect(await cancel(code)).toMatchObject({ kind: 'done', value: { cancelAtPeriodEnd: true } });
  });

  it('can be resumed before the boundary, and is then charged', async () => {
    const code = await subscribe();
    expect(await reactivate(code)).toMatchObject(renewing(code));
    await cancel(code);
    expect(await reactivate(code)).toMatchObject(renewing(code));
    expect(await reactivate(code, true)).toMatchObject(renewing(code));
    await c.core.clock.advanceTo(AFTER_THE_BOUNDARY);
    expect(await events()).toContain('charge.success');
  });

  it('is not resumed where the provider says that its end is final', async () => {
    const code = await subscribe();
    await cancel(code);
    c.controls.setResumes(false);
    expect(await reactivate(code)).toEqual({
      kind: 'declined',
      code: 'new_subscription_needed',
      reason: 'The payment provider does not resume this subscription. Start a new one after its end.',
    });
    expect(await cancel(code)).toMatchObject(stopped(code));
  });

  it('is not taken back after the boundary, where a stop is done already', async () => {
    const code = await subscribe();
    await cancel(code);
    await c.core.clock.advanceTo(AFTER_THE_BOUNDARY);
    expect(await reactivate(code)).toMatchObject({ kind: 'declined', code: 'subscription_ended' });
    expect(await cancel(code)).toMatchObject({ kind: 'done', value: { status: 'cancelled' } });
  });

  it.each([
    ['stopped', '/subscription/disable', cancel, stopped],
    ['taken back', '/subscription/enable', reactivate, renewing],
  ] as const)('is %s once where the answer was lost', async (_what, path, change, expected) => {
    const code = await subscribe();
    if (path.endsWith('enable')) await cancel(code);
    await c.delivered();
    c.core.faults.set({ provider: 'c', path, fault: 'cut_after_commit', times: 1 });
    expect((await change(code)).kind).toBe('unknown');
    // A call that would be refused as "already" done is not sent again.
    c.core.faults.set({ provider: 'c', path, fault: 'answer_500' });
    expect(await change(code, true)).toMatchObject(expected(code));
    expect(await events()).toEqual(path.endsWith('enable') ? [] : ['subscription.not_renew']);
  });

  it.each(['/subscription/disable', '/subscription/SUB'])('is not known after a 500 of %s', async (path) => {
    const code = await subscribe();
    c.core.faults.set({ provider: 'c', path, fault: 'answer_500' });
    expect((await cancel(code)).kind).toBe('unknown');
    c.core.faults.clear();
    expect(await providerC.fetchSubscription(c.access, code)).toMatchObject(renewing(code));
  });

  it('is refused for one that is not there, and with a key that is not accepted', async () => {
    expect(await cancel('SUB_nothing')).toMatchObject({ kind: 'declined', code: 'not_found' });
    expect(await reactivate('SUB_nothing')).toMatchObject({ kind: 'declined', code: 'not_found' });
    const stranger = { ...c.access, secrets: { secretKey: 'sk_test_stranger' } };
    expect(await providerC.cancelSubscription(stranger, request('SUB_1'))).toMatchObject({
      kind: 'declined',
      code: 'authentication_failed',
    });
    // The earlier request may have been accepted.
    expect((await providerC.cancelSubscription(stranger, request('SUB_1', true))).kind).toBe('unknown');
    expect(await providerC.cancelSubscription({ ...c.access, secrets: {} }, request('SUB_1'))).toMatchObject({
      kind: 'declined',
      code: 'connection_incomplete',
    });
  });

  it('has no plan to change, and no seats', async () => {
    const change = {
      planReference: 'PLN_hourly',
      quantity: 1,
      proration: 'none',
      returnUrl: '',
      cancelUrl: '',
    };
    expect(
      await providerC.changeSubscription(c.access, { ...request('SUB_1'), ...change, proration: 'none' }),
    ).toMatchObject({ kind: 'unsupported', reason: expect.stringContaining('cannot change') as unknown });
  });
});

describe('a renewal at a provider that answers strangely', () => {
  const data = (status: string, more: object = {}) => ({
    subscription_code: 'SUB_1',
    domain: 'test',
    status,
    next_payment_date: null,
    plan: { plan_code: 'PLN_1' },
    customer: { customer_code: 'CUS_1' },
    email_token: 'a-secret-token',
    ...more,
  });
  /** Answers each GET with the next of `states`, and repeats the last one. */
  async function cancelled(states: unknown[], post: StubAnswer = { body: { status: true, message: '' } }) {
    let outcome: unknown;
    let posts: unknown[] = [];
    let reads = 0;
    await withStub(
      c.access,
      ({ method }) => {
        if (method === 'POST') return post;
        reads += 1;
        return { body: { status: true, message: '', data: states[Math.min(reads, states.length) - 1] } };
      },
      async (access, requests) => {
        outcome = await providerC.cancelSubscription(access, request('SUB_1'));
        posts = requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
      },
    );
    expect(JSON.stringify(outcome)).not.toContain('a-secret-token');
    return { outcome, posts };
  }

  it('is sent with the e-mail token, which no answer and no refusal shows', async () => {
    const { outcome, posts } = await cancelled([data('active'), data('non-renewing')]);
    expect(posts).toEqual([{ code: 'SUB_1', token: 'a-secret-token' }]);
    expect(outcome).toMatchObject({ kind: 'done' });
  });

  it.each([[null], [''], [undefined]])('is refused without a call where the token is %p', async (token) => {
    const { outcome, posts } = await cancelled([data('active', { email_token: token })]);
    expect(outcome).toMatchObject({ kind: 'declined', code: 'email_token_missing' });
    expect(posts).toEqual([]);
  });

  it('is done where somebody else was faster', async () => {
    const states = [data('active'), data('non-renewing')];
    expect((await cancelled(states, refusal(404, 'not_found', ALREADY))).outcome).toMatchObject({
      kind: 'done',
      value: { cancelAtPeriodEnd: true },
    });
  });

  it('is refused where the token is not accepted, without the names of things', async () => {
    const { outcome } = await cancelled([data('active')], refusal(404, undefined, ALREADY));
    expect(outcome).toEqual({
      kind: 'declined',
      code: 'email_token_refused',
      reason: 'The payment provider did not stop the renewal. Nothing has changed.',
    });
  });

  it('is refused with the provider’s own code', async () => {
    const { outcome } = await cancelled([data('active')], refusal(400, 'invalid_params', 'a-secret-token'));
    expect(outcome).toMatchObject({ kind: 'declined', code: 'invalid_params' });
  });

  it('is pending while it was taken and does not show', async () => {
    expect((await cancelled([data('active')])).outcome).toMatchObject({
      kind: 'pending',
      value: { cancelAtPeriodEnd: false },
    });
  });

  it.each([
    ['the state before', [data('paused')]],
    ['the state after', [data('active'), data('paused')]],
    ['the shape before', [{ subscription_code: 'SUB_1' }]],
    ['the token’s type', [data('active', { email_token: 12 })]],
    ['the shape after', [data('active'), {}]],
    ['which one it is', [data('active', { subscription_code: 'SUB_2' })]],
  ])('is not known where it is not known: %s', async (_what, states) => {
    expect((await cancelled(states)).outcome).toMatchObject({ kind: 'unknown' });
  });

  it('is not taken back from a state that is not known', async () => {
    await withStub(
      c.access,
      () => ({ body: { status: true, message: '', data: data('paused') } }),
      async (access, requests) => {
        const outcome = await providerC.reactivateSubscription(access, request('SUB_1'));
        expect(outcome.kind).toBe('unknown');
        expect(requests).toHaveLength(1);
      },
    );
  });
});
