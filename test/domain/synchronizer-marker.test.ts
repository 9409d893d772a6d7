import { HOUR_MS } from '../../src/domain/instant';
import { failedMarker, lateMarker, preparedMarker, unsentMarker } from '../../src/domain/synchronizer-marker';
import { START, syncMarker } from './provider-row';

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

it('a change that came too late has failed for this renewal, until it is prepared for another', () => {
  const late = lateMarker(claimed, 'It has renewed.', at);
  expect(late).toEqual({ ...failedMarker(claimed, 'It has renewed.', at), late: true });
  expect(preparedMarker(late, '1000', at).late).toBeUndefined();
});

it('a change that was not sent leaves no price known', () => {
  expect(unsentMarker(claimed)).toEqual({ ...claimed, told: false, ownReference: undefined });
});
