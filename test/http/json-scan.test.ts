import fc from 'fast-check';
import { isTollgateError, type FieldProblem } from '../../src/domain/errors';
import { pointerOf, shortened } from '../../src/http/json-pointer';
import { scanJson } from '../../src/http/json-scan';
import { cases } from '../domain/property';

function refusalOf(text: string, mostValues = 1_000): { code: string; errors?: FieldProblem[] } | null {
  try {
    scanJson(text, mostValues);
    return null;
  } catch (error) {
    if (!isTollgateError(error)) throw error;
    return error;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('JSON text before it is parsed', () => {
  test('the output of JSON.stringify passes, whatever its spacing', () => {
    const value = fc.jsonValue({ maxDepth: 6 });
    fc.assert(
      fc.property(value, fc.constantFrom('', ' ', '\n\t'), (it, space) => {
        const text = JSON.stringify(it, null, space);
        fc.pre(!text.includes('__proto__') && !text.includes('\\u') && !/[\d.]{16}|e-/.test(text));
        expect(refusalOf(text, 1e6)).toBeNull();
      }),
      cases(300),
    );
  });

  test('a member that is written twice, anywhere, is found, with its pointer', () => {
    const name = fc.string({ maxLength: 5 });
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 8 }), fc.nat(), (names, which) => {
        fc.pre(!names.includes('__proto__'));
        const twice = names[which % names.length] ?? '';
        const members = [...names, twice].map((each) => `${JSON.stringify(each)}:[{}]`);
        const found = refusalOf(`{"in":[1,{${members.join(',')}}]}`);
        fc.pre(found?.code !== 'body_invalid_json');
        expect(found).toMatchObject({
          code: 'body_duplicate_member',
          errors: [{ pointer: pointerOf(['in', 1, twice]) }],
        });
      }),
      cases(300),
    );
  });

  test('of text that is no JSON it says nothing that is not so, and it always ends', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ':',
      ',',
      '\\',
      '1',
      '-',
      'e',
      'null',
      'a',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 30 }), (fragments) => {
        const text = fragments.join('');
        const found = refusalOf(text);
        if (isJson(text)) expect([null, 'body_duplicate_member']).toContain(found?.code ?? null);
      }),
      cases(300),
    );
  });

  test.each([
    ['levels', '['.repeat(17) + ']'.repeat(17), 'body_invalid_json'],
    ['values in a list', `[${'1,'.repeat(1_000)}1]`, 'body_too_complex'],
    ['members', `{${Array.from({ length: 1_001 }, (_, n) => `"${n}":1`).join(',')}}`, 'body_too_complex'],
    ['digits', '[0.12345678901234567]', 'body_number_imprecise'],
    ['digits of a whole number', '[9007199254740993]', 'body_number_imprecise'],
    ['a name of the prototype, with escapes', '{"\\u005f_proto__":1}', 'body_invalid_json'],
    ['half a pair in a name', '{"\\ud800":1}', 'body_invalid_json'],
  ])('too many or wrong: %s', (_, text, code) => {
    expect(refusalOf(text)?.code).toBe(code);
  });

  test.each([
    ['16 levels', '['.repeat(16) + ']'.repeat(16)],
    ['the same name in two objects', '[{"a":1},{"a":1},{"b":{"a":{"a":1}}}]'],
    ['escaped quotes and backslashes', '{"a\\\\":"\\\\\\"","a":"\\"{\\"a\\":1,\\"a\\":2}"}'],
    ['a whole pair', '{"\\ud83d\\ude00":"\\ud83d\\ude00"}'],
    ['numbers that are exact', '[9007199254740991,0.1,1e22,-0,0.0,0e9,1.0000000000000000]'],
  ])('%s may be sent', (_, text) => {
    expect(isJson(text)).toBe(true);
    expect(refusalOf(text)).toBeNull();
  });
});

test('a pointer is escaped, and cut where it is long', () => {
  expect(pointerOf(['a/b', 'c~d', 0])).toBe('/a~1b/c~0d/0');
  expect(pointerOf(['take'], '/query')).toBe('/query/take');
  expect(pointerOf(Array.from({ length: 100 }, () => 'x'.repeat(1_000))).length).toBe(201);
  expect(shortened('😀😀', 3)).toBe('😀\ufffd…');
});
