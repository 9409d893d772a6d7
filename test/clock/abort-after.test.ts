import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { abortAfter } from '../../src/clock/abort-after';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('fires after its time, also if garbage is collected meanwhile', async () => {
  const signal = abortAfter(200, new AbortController().signal);
  const fired = once(signal, 'abort');
  await new Promise(setImmediate);
  collectGarbage();
  await fired;
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('fires at once, with its reason, when it is stopped', () => {
  const stop = new AbortController();
  const signal = abortAfter(60_000, stop.signal);
  stop.abort(new Error('stopped'));
  expect(signal.reason).toMatchObject({ message: 'stopped' });
});
