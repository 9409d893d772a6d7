import { HOUR_MS, MINUTE_MS } from '../../src/domain/instant';
import {
  failedMarker,
  keysInDoubt,
  lateMarker,
  preparedMarker,
  sendingMarker,
  unsentMarker,
} from '../../src/domain/synchronizer-marker';
import { END, START, syncMarker } from './provider-row';

const at = START + HOUR_MS;
const claimed = syncMarker({ state: 'claimed', ownReference: 'price_pro' });

it('a prepared change has the price that the provider states, and is not tried again', () => {
  const failed = failedMarker(claimed, 'It is down.', START);
  const prepared = { ...claimed, state: 'prepared', unitAmount: '1000', at, reason: null, retryAt: null };
  expect(preparedMarker(failed, '1000', at)).toEqual(prepared);
  expect(preparedMarker({ ...failed, unitAmount: '900' }, undefined, at).unitAmount).toBeUndefined();
});

it('a failed change may have been sent, and is tried again after an hour', () => {
  const failed = { ...claimed, state: 'failed', at, reason: 'It is down.', retryAt: at + HOUR_MS };
  expect(failedMarker(claimed, 'It is down.', at)).toEqual(failed);
});

it.each([
  [120, 60],
  [60, 30],
  [30, 15],
  [8, 5],
  [-1, 60],
])('a change that failed %i minutes before the renewal is tried again after %i', (left, delay) => {
  const failedAt = END - left * MINUTE_MS;
  expect(failedMarker(claimed, 'It is down.', failedAt).retryAt).toBe(failedAt + delay * MINUTE_MS);
});

it('whatever was sent and not answered may still arrive, from each step', () => {
  const [first, second] = [START, START + HOUR_MS];
  const key = (step: number): string => `sub_1-${step}`;
  const sent = sendingMarker(sendingMarker({ ...claimed, told: false }, first), first);
  expect([sent.told, keysInDoubt('sub_1', sent)]).toEqual([true, [key(first)]]);
  const failed = sendingMarker(failedMarker(sent, 'It is down.', first), second);
  expect(keysInDoubt('sub_1', failed)).toEqual([key(first), key(second)]);
  expect(keysInDoubt('sub_1', preparedMarker(failed, '1000', second))).toEqual([key(first)]);
  expect(keysInDoubt('sub_1', unsentMarker(sent))).toEqual([]);
});

it('of a change that an earlier version has sent, the last step may still arrive, unless it is known to have', () => {
  expect(keysInDoubt('sub_1', claimed)).toEqual([`sub_1-${claimed.at}`]);
  expect(keysInDoubt('sub_1', { ...claimed, state: 'prepared' })).toEqual([]);
});

it('a change that came too late has failed for this renewal, until it is prepared for another', () => {
  const late = lateMarker(claimed, 'It has renewed.', at);
  expect(late).toEqual({ ...failedMarker(claimed, 'It has renewed.', at), late: true });
  expect(preparedMarker(late, '1000', at).late).toBeUndefined();
});

it('a change that was not sent leaves no price known', () => {
  expect(unsentMarker(claimed)).toEqual({ ...claimed, told: false, ownReference: undefined });
});
