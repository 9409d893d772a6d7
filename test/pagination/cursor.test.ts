import fc from 'fast-check';
import { isTollgateError } from '../../src/domain/errors';
import { decodeCursor, encodeCursor, pageOf, type CursorBinding } from '../../src/pagination/cursor';
import { takeSchema } from '../../src/pagination/page-schema';
import { cases } from '../domain/property';

const SECRET = 'a-secret-of-at-least-32-characters-1';
const binding: CursorBinding = {
  workspaceId: 'org_1',
  environment: 'sandbox',
  list: 'things',
  filters: { status: 'OK', search: undefined },
};
const refused = (cursor: string, where: CursorBinding = binding, secret = SECRET): boolean => {
  try {
    decodeCursor(secret, where, cursor);
    return false;
  } catch (error) {
    return isTollgateError(error) && error.code === 'cursor_invalid' && error.status === 400;
  }
};
const position = fc.array(fc.oneof(fc.string(), fc.integer()), { minLength: 1, maxLength: 4 });

describe('cursors', () => {
  test('give back any position, and only where they were issued', () => {
    fc.assert(
      fc.property(position, (at) => {
        const cursor = encodeCursor(SECRET, binding, at);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(SECRET, binding, cursor)).toEqual(at);
        expect(refused(cursor, { ...binding, workspaceId: 'org_2' })).toBe(true);
        expect(refused(cursor, { ...binding, environment: 'production' })).toBe(true);
        expect(refused(cursor, { ...binding, list: 'others' })).toBe(true);
        expect(refused(cursor, { ...binding, filters: { status: 'ERROR' } })).toBe(true);
        expect(refused(cursor, { ...binding, filters: {} })).toBe(true);
        expect(refused(cursor, binding, `${SECRET}x`)).toBe(true);
      }),
      cases(100),
    );
  });

  test('a filter that is left out is a filter that is not given', () => {
    const cursor = encodeCursor(SECRET, binding, ['a']);
    expect(decodeCursor(SECRET, { ...binding, filters: { status: 'OK' } }, cursor)).toEqual(['a']);
  });

  test('any change of a character is refused, and so is anything else', () => {
    fc.assert(
      fc.property(
        position,
        fc.nat(),
        fc.constantFrom(...'ABCDwxyz0189-_=. '.split('')),
        (at, where, other) => {
          const cursor = encodeCursor(SECRET, binding, at);
          const index = where % cursor.length;
          const changed = cursor.slice(0, index) + other + cursor.slice(index + 1);
          expect(refused(changed)).toBe(changed !== cursor);
          expect(refused(cursor.slice(0, index))).toBe(true);
          expect(refused(cursor + other)).toBe(true);
        },
      ),
      cases(200),
    );
    fc.assert(
      fc.property(fc.string(), (text) => refused(text)),
      cases(100),
    );
  });
});

describe('pages', () => {
  /** Sorts newest first by (at, id), as the lists do. */
  const newestFirst = (rows: readonly [number, number][]): [number, number][] =>
    [...rows].sort((one, other) => other[0] - one[0] || other[1] - one[1]);
  const row = fc.tuple(fc.integer({ min: 0, max: 20 }), fc.nat());
  const unique = { selector: (one: [number, number]) => one.join(), maxLength: 60 };

  test('rows that are inserted meanwhile never repeat or hide another', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(row, unique),
        fc.array(fc.uniqueArray(row, { ...unique, maxLength: 5 }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 7 }),
        (stored, inserted, take) => {
          const table = new Map(stored.map((one) => [one.join(), one]));
          const seen: string[] = [];
          let cursor: string | undefined;
          for (let read = 0; ; read += 1) {
            const after =
              cursor === undefined ? null : (decodeCursor(SECRET, binding, cursor) as [number, number]);
            const rows = newestFirst([...table.values()]).filter(
              (one) => after === null || one[0] < after[0] || (one[0] === after[0] && one[1] < after[1]),
            );
            const page = pageOf(rows.slice(0, take + 1), take, (last) => encodeCursor(SECRET, binding, last));
            expect(page.hasMore).toBe(page.nextCursor !== undefined);
            seen.push(...page.data.map((one) => one.join()));
            for (const one of inserted[read] ?? []) table.set(one.join(), one);
            if (page.nextCursor === undefined) break;
            cursor = page.nextCursor;
          }
          expect(new Set(seen).size).toBe(seen.length);
          expect(seen).toEqual(expect.arrayContaining(stored.map((one) => one.join())));
        },
      ),
      cases(300),
    );
  });
});

describe('take', () => {
  test.each(['0', '201', '', ' ', '1.5', '1e2', '+5', '-1', 'ten', '0x10', '99999999999999999999'])(
    '%j is refused',
    (take) => {
      expect(takeSchema.safeParse(take).success).toBe(false);
    },
  );
  test('1 to 200, and 50 when it is left out', () => {
    expect([takeSchema.parse('1'), takeSchema.parse('200'), takeSchema.parse(undefined)]).toEqual([
      1, 200, 50,
    ]);
  });
});
