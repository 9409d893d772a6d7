import { newIdentifier } from '../../src/identifiers/identifier';
import { recordResults, type Finished } from '../../src/webhook-deliveries/record-results';
import { announce, deliveryOf, startEndpointRig } from './rig';
import { useStarted } from '../support/use-started';

/** Recording of attempts at endpoints whose health another process has changed in the meantime. */
const rig = useStarted(startEndpointRig);

const PATH = '/api/webhook-endpoints';
const URL = 'http://127.0.0.1:9999/hook';
const START = Date.now();

const endpoint = () => rig.endpoint(URL);

/** Returns an attempt that began while its endpoint was not failing. Its delivery has been deleted since. */
function attempt(endpointId: string, outcome: 'delivered' | 'failed', at: number, url = URL): Finished {
  const [status, ended] = outcome === 'delivered' ? ['delivered' as const, at] : ['pending' as const, null];
  return {
    result: {
      endpointId,
      messageId: newIdentifier('webhookMessage'),
      lease: at,
      status,
      attempts: 1,
      nextAttemptAt: ended === null ? at : null,
      endedAt: ended,
      attemptId: newIdentifier('webhookAttempt'),
      attemptedAt: at,
      durationMs: 0,
      statusCode: null,
      error: null,
      answer: null,
      sentHash: null,
    },
    tried: { at, outcome, url },
    again: at,
    wasFailing: false,
  };
}

const write = (...finished: Finished[]) => recordResults(rig.database, rig.scope, finished, START);
const failingSince = async (id: string) => (await rig.client.get(`${PATH}/${id}`)).body['failingSince'];

test('a later success ends a failure that another process wrote, also beside the failure of another endpoint', async () => {
  const [one, two, other] = [await endpoint(), await endpoint(), await endpoint()];
  for (const id of [one, two]) await write(attempt(id, 'failed', START));
  await write(attempt(one, 'delivered', START + 1));
  await write(attempt(two, 'delivered', START + 1), attempt(other, 'failed', START));
  expect([await failingSince(one), await failingSince(two)]).toEqual([null, null]);
  expect(await failingSince(other)).not.toBeNull();
});

test('an earlier success ends none, nor one at another address', async () => {
  const id = await endpoint();
  await write(attempt(id, 'failed', START));
  await write(attempt(id, 'delivered', START - 1));
  await write(attempt(id, 'delivered', START + 1, 'http://127.0.0.1:9999/former'));
  expect(await failingSince(id)).toBe(new Date(START).toISOString());
});

test('a message delivered while its endpoint was disabled is not cancelled; a failed one is', async () => {
  const id = await endpoint();
  const one = await announce(rig.service.database, rig.scope);
  const other = await announce(rig.service.database, rig.scope);
  await rig.service.database.query(
    "UPDATE tollgate.webhook_deliveries SET status = 'cancelled', next_attempt_at = NULL, ended_at = now() WHERE endpoint_id = $1",
    [id],
  );
  const late = (messageId: string, outcome: 'delivered' | 'failed'): Finished => {
    const finished = attempt(id, outcome, START);
    return { ...finished, result: { ...finished.result, messageId } };
  };
  await write(late(one, 'delivered'), late(other, 'failed'));
  expect(await deliveryOf(rig.service.database, id, one)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(await deliveryOf(rig.service.database, id, other)).toMatchObject({ status: 'cancelled' });
});
