import { timeInLocale } from '../../src/domain/time-in-locale';

test.each([
  ['America/New_York', '2026-11-01T04:30:00Z', 'Nov 1, 2026, 12:30 AM'],
  ['America/New_York', '2026-11-01T05:30:00Z', 'Nov 1, 2026, 1:30:00 AM EDT'],
  ['America/New_York', '2026-11-01T06:30:00Z', 'Nov 1, 2026, 1:30:00 AM EST'],
  ['America/New_York', '2026-11-01T07:00:00Z', 'Nov 1, 2026, 2:00 AM'],
  // The clocks skip an hour.
  ['America/New_York', '2026-03-08T07:00:00Z', 'Mar 8, 2026, 3:00 AM'],
  // The clocks are set back by half an hour.
  ['Australia/Lord_Howe', '2026-04-04T14:45:00Z', 'Apr 5, 2026, 1:45:00 AM GMT+11'],
  ['Australia/Lord_Howe', '2026-04-04T15:15:00Z', 'Apr 5, 2026, 1:45:00 AM GMT+10:30'],
  // And by two hours.
  ['Antarctica/Troll', '2026-10-25T00:30:00Z', 'Oct 25, 2026, 2:30:00 AM GMT+2'],
  ['Antarctica/Troll', '2026-10-25T02:30:00Z', 'Oct 25, 2026, 2:30:00 AM GMT'],
  ['Pacific/Apia', '2026-11-01T05:30:00Z', 'Nov 1, 2026, 6:30 PM'],
  ['Asia/Kolkata', '2026-11-01T05:30:00Z', 'Nov 1, 2026, 11:00 AM'],
])('in %s, %s is %s', (timeZone, at, text) => {
  const format = (timeStyle: 'short' | 'long') =>
    new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle, timeZone });
  const formatted = timeInLocale(Date.parse(at), format('short'), format('long'));
  // Some versions of Node put a narrow space before AM.
  expect(formatted.replaceAll('\u202F', ' ')).toBe(text);
});
