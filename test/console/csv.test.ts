import { toCsv } from '../../console/src/ui/csv';

test.each([
  ['=2+5', "'=2+5"],
  ['+2', "'+2"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  [' =1', "' =1"],
  ['＝1', "'＝1"],
  ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
  ['a;=1', "a;'=1"],
  ['a;"=1', `"a;'""=1"`],
  ['a=b', 'a=b'],
  ['one, two', '"one, two"'],
])('the text %j is the cell %j', (text, cell) => {
  expect(toCsv([[text]])).toBe(`${cell}\r\n`);
});

test('a number stays one, below zero too', () => {
  expect(
    toCsv([
      ['start', 'used'],
      ['2026-11-24', -2.5],
    ]),
  ).toBe('start,used\r\n2026-11-24,-2.5\r\n');
});
