import { HOUR_MS } from '../../src/domain/instant';
import { pace } from '../../src/events/event-listener';

const AT = Date.UTC(2026, 0, 1);
const NO_SINK = { event: () => undefined, gap: () => undefined, end: () => undefined };
const full = () => ({ sink: { ...NO_SINK, buffered: () => 1_000_000 }, stalledSince: null });

test('a reader that takes nothing is stalled after half a minute', () => {
  const listener = full();
  expect([pace(listener, AT), pace(listener, AT + 29_999), pace(listener, AT + 30_000)]).toEqual([
    'waiting',
    'waiting',
    'stalled',
  ]);
});

test('a clock that is set back only restarts the half minute', () => {
  const listener = full();
  const back = AT - HOUR_MS;
  expect([pace(listener, AT), pace(listener, back), pace(listener, back + 30_000)]).toEqual([
    'waiting',
    'waiting',
    'stalled',
  ]);
});
