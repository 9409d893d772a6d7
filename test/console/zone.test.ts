import { dayOf, daysWithin, formatInZone, startOfDay, startOfLastDays } from '../../console/src/ui/zone';

const startOf = (zone: string, day: string) => new Date(startOfDay(zone, day)).toISOString();

test.each([
  ['UTC', '2026-11-24', '2026-11-24T00:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-24', '2026-11-23T10:00:00.000Z'],
  ['Pacific/Pago_Pago', '2026-11-24', '2026-11-24T11:00:00.000Z'],
  // Midnight is skipped at the clock change: the day begins at 01:00.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
  // The hour before midnight occurs twice.
  ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00.000Z'],
  // Midnight occurs twice: the first one counts.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
])('in %s the day %s begins at %s', (zone, day, instant) => {
  expect(startOf(zone, day)).toBe(instant);
  expect(dayOf(zone, Date.parse(instant))).toBe(day);
  expect(dayOf(zone, Date.parse(instant) - 1)).not.toBe(day);
});

test.each([
  // The first day of the last seven has 25 hours, and it is shortly before midnight.
  ['America/New_York', '2026-11-08T04:30:00Z', '2026-11-01T04:00:00.000Z'],
  // The last seven days include one of 23 hours, and it is shortly after midnight.
  ['America/New_York', '2026-03-09T04:30:00Z', '2026-03-03T05:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-04-05T14:00:00Z', '2026-03-30T13:00:00.000Z'],
])('in %s the last seven days at %s begin at %s', (zone, now, from) => {
  expect(new Date(startOfLastDays(zone, Date.parse(now), 7)).toISOString()).toBe(from);
});

test.each([
  // Days begin the evening before in UTC, or later in UTC; one has 25 hours.
  ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-26T23:00:00Z', '2026-10-25', '2026-10-26'],
  ['America/New_York', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z', '2026-11-01', '2026-11-01'],
  ['UTC', '2026-11-01T00:00:00Z', '2026-11-08T00:00:00Z', '2026-11-01', '2026-11-07'],
])('in %s the days from %s to %s are %s to %s', (zone, from, to, first, last) => {
  expect(daysWithin(zone, Date.parse(from), Date.parse(to))).toEqual({ first, last });
});

test.each([
  ['UTC', '2026-11-24T00:00:00.000Z', '2026-11-24T00:00:00+00:00'],
  ['Europe/Berlin', '2026-10-25T00:30:00.000Z', '2026-10-25T02:30:00+02:00'],
  ['Europe/Berlin', '2026-10-25T01:30:00.000Z', '2026-10-25T02:30:00+01:00'],
  ['America/St_Johns', '2026-11-24T03:30:00.000Z', '2026-11-24T00:00:00-03:30'],
  ['Asia/Kathmandu', '2026-11-23T18:15:00.000Z', '2026-11-24T00:00:00+05:45'],
])('by the clock of %s, %s is %s', (zone, instant, formatted) => {
  expect(formatInZone(zone, Date.parse(instant))).toBe(formatted);
  expect(Date.parse(formatted)).toBe(Date.parse(instant));
});
