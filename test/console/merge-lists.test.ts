import { mergeLists } from '../../console/src/ui/merge-lists';

test.each([
  ['adds to what another has added', ['a'], ['a', 'b'], ['a', 'c'], ['a', 'c', 'b']],
  ['adds to what another has begun', [], ['b'], ['c'], ['c', 'b']],
  ['adds what another has added, once', ['a'], ['a', 'b'], ['a', 'b'], ['a', 'b']],
  ['adds to what another has removed from', ['a', 'b'], ['a', 'b', 'c'], ['b'], ['b', 'c']],
  ['removes from what another has added to', ['a', 'b'], ['b'], ['a', 'b', 'c'], ['b', 'c']],
  ['removes what another has removed', ['a', 'b'], ['b'], ['b'], ['b']],
  ['is emptied, whatever another has added', ['a'], [], ['a', 'b'], []],
  ['has only what was added if another has emptied it', ['a'], ['a', 'b'], [], ['b']],
  ['that another has emptied stays empty if an entry was removed', ['a', 'b'], ['b'], [], []],
  [
    'has the order in which it was typed, if nobody else has changed it',
    ['a', 'b'],
    ['b', 'a'],
    ['a', 'b'],
    ['b', 'a'],
  ],
])('a list %s', (_, before, typed, current, merged) => {
  const others = { name: 'old', list: current };
  expect(mergeLists({ name: 'old', list: before }, { list: typed }, others)).toEqual({ list: merged });
});

test('a list that is null on a side is taken as it is typed, and so is anything else', () => {
  type Values = { plans: string[] | null; name: string };
  const merge = (before: Values, changed: Partial<Values>, current: Values) =>
    mergeLists(before, changed, current);
  const all: Values = { plans: null, name: 'old' };
  const few: Values = { plans: ['a'], name: 'theirs' };
  expect(merge(all, { plans: ['b'], name: 'mine' }, few)).toEqual({ plans: ['b'], name: 'mine' });
  expect(merge(few, { plans: null }, { ...few, plans: ['a', 'b'] })).toEqual({ plans: null });
  expect(merge(few, { plans: ['a', 'b'] }, all)).toEqual({ plans: ['a', 'b'] });
});
