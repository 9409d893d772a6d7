import { randomUUID } from 'node:crypto';
import { MINUTE_MS } from '../../src/domain/instant';
import { useProviderRow } from '../support/use-provider-world';

/** Section 3, provider C, cancel: one effect at the provider and one entry in the history, whatever fails. */
const { world, row } = useProviderRow();
const NOT_RENEW = 'subscription.not_renew';

test('a cancel whose answer is lost is looked up, and not sent again', async () => {
  const sub = await world.subscribe('provider_c');
  world.fault('provider_c', '/subscription/disable', 'cut_after_commit');
  expect(await world.command(sub.id, 'cancel')).toMatchObject({ status: 200 });
  await world.settle();
  expect(row.happened(sub, NOT_RENEW)).toBe(1);
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled']);
});

test.each([
  ['it has done it', true],
  ['it has not', false],
])('when nobody can say for minutes whether %s: 202, and answered later', async (_, done) => {
  const sub = await world.subscribe('provider_c');
  const before = await row.terms(sub);
  row.lose(true);
  if (done) row.dieWithNextCommand('after_call');
  else row.break('provider_c', '/subscription', 'answer_500');
  const key = randomUUID();
  const answer = await world.command(sub.id, 'cancel', {}, key);
  expect([answer.status, answer.body['status']]).toEqual([202, 'accepted']);
  row.break('provider_c', '/subscription', 'answer_500');
  await row.settleLater();
  expect(await row.operation(answer)).toMatchObject({ status: 'accepted' });
  expect(await row.terms(sub)).toEqual(before);
  expect(await row.capabilities(sub)).toMatchObject({ cancel: 'provider_unsettled' });
  expect(await world.show(sub.id)).toMatchObject({
    waitingFor: expect.stringContaining('has not confirmed a request') as string,
  });
  row.hearAgain();
  // The call is retried less and less often.
  await world.advanceBy(6 * MINUTE_MS);
  expect(await row.operation(answer)).toMatchObject({ status: 'succeeded', answer: { status: 200 } });
  expect(await world.command(sub.id, 'cancel', {}, key)).toMatchObject({ status: 200 });
  expect(row.happened(sub, NOT_RENEW)).toBe(1);
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled']);
});

test.each([
  ['before_call', false],
  ['after_call', false],
  ['after_call', true],
] as const)('a cancel takes effect once when the process dies %s, webhooks lost: %s', async (where, lost) => {
  const sub = await world.subscribe('provider_c');
  row.lose(lost);
  row.dieWithNextCommand(where);
  const answer = await world.command(sub.id, 'cancel');
  expect(answer.status).toBe(202);
  await world.settle();
  expect(await world.show(sub.id)).toMatchObject({ cancelAtPeriodEnd: where === 'after_call' && !lost });
  await row.settleLater();
  expect(await row.operation(answer)).toMatchObject({ status: 'succeeded' });
  expect(await world.show(sub.id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
  expect(row.happened(sub, NOT_RENEW)).toBe(1);
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled']);
});

test('two cancels at once take effect once', async () => {
  const sub = await world.subscribe('provider_c');
  const answers = await Promise.all([world.command(sub.id, 'cancel'), world.command(sub.id, 'cancel')]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await world.settle();
  expect(row.happened(sub, NOT_RENEW)).toBe(1);
  expect(await row.kinds(sub)).toEqual(['cancel_scheduled']);
});
