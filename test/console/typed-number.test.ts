import { numberProblem, readNumber } from '../../console/src/ui/typed-number';

describe('a number that an operator types', () => {
  test.each([
    ['1500', 1_500],
    [' 0.5 ', 0.5],
    ['007', 7],
    ['1.50', 1.5],
    ['-3', -3],
    ['999999999999.125', 999_999_999_999.125],
    ['9007199254740991', 9_007_199_254_740_991],
  ])('%s is a number', (typed, number) => {
    expect(readNumber(typed)).toBe(number);
  });

  test.each([
    ['1.234,56', 'Enter a number such as 1500 or 0.5, without separators.'],
    ['1,234', 'Enter a number such as 1500 or 0.5, without separators.'],
    ['1e5', 'Enter a number such as 1500 or 0.5, without separators.'],
    ['١٢٣', 'Enter a number such as 1500 or 0.5, without separators.'],
    ['5 😀', 'Enter a number such as 1500 or 0.5, without separators.'],
    ['NaN', 'Enter a number such as 1500 or 0.5, without separators.'],
    ['9007199254740993', 'It has too many digits to be counted exactly.'],
    ['0.12345678901234567890', 'It has too many digits to be counted exactly.'],
  ])('%s stays what was typed, and is refused: %s', (typed, problem) => {
    expect(readNumber(typed)).toBe(typed);
    expect(numberProblem(readNumber(typed))).toBe(problem);
  });

  test.each([
    ['', {}, 'Fill this in.'],
    ['', { optional: true }, null],
    ['-1', {}, 'No less than 0.'],
    ['0', { min: 1 }, 'No less than 1.'],
    ['31', { max: 30 }, 'No more than 30.'],
    ['1.5', { whole: true }, 'Enter a whole number.'],
    ['1.5,', { whole: true }, 'Enter a whole number such as 1500, without separators.'],
    ['0.0000005', {}, 'It has too many digits to be counted exactly.'],
    ['0.1234567', {}, 'No more than 6 digits after the point.'],
    ['0.000001', {}, null],
  ])('%s by %j: %s', (typed, rule, problem) => {
    expect(numberProblem(readNumber(typed), rule)).toBe(problem);
  });
});
