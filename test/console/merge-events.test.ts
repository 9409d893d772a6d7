import { mergeEvents } from '../../console/src/pages/events/merge-events';

const eventOf = (id: string, second: number) => ({
  id,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
});
const [first, second, third] = [eventOf('evt_1', 1), eventOf('evt_2', 2), eventOf('evt_3', 3)];
const idsOf = (events: { id: string }[]) => events.map(({ id }) => id);

test('an event that is live and listed is shown once, the newest first', () => {
  expect(idsOf(mergeEvents([third, second], [second, first]))).toEqual(['evt_3', 'evt_2', 'evt_1']);
  expect(mergeEvents([], [])).toEqual([]);
});

test('an event that the stream delivers after the list keeps its place', () => {
  const listed = [third, second, first];
  for (const live of [[second], [second, third], [first]])
    expect(idsOf(mergeEvents(live, listed))).toEqual(idsOf(listed));
});

test('events of one millisecond are in the order of their ids', () => {
  const twin = eventOf('evt_4', 3);
  expect(idsOf(mergeEvents([third], [twin]))).toEqual(['evt_4', 'evt_3']);
  expect(idsOf(mergeEvents([twin], [third]))).toEqual(['evt_4', 'evt_3']);
});
