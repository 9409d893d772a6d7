import { z } from 'zod';
import { readPages } from '../../../src/providers/provider-a/read-pages';

const element = z.object({ id: z.string() });

test('a list is read to its end, each page after the last element of the one before', async () => {
  const cursors: unknown[] = [];
  const pages = [['a', 'b'], ['c']];
  const all = await readPages((paging) => {
    cursors.push(paging.starting_after);
    const data = pages[cursors.length - 1]?.map((id) => ({ id }));
    return Promise.resolve({ data, has_more: cursors.length < pages.length });
  }, element);
  expect(all.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(cursors).toEqual([undefined, 'b']);
});

test('a list that never ends is given up', async () => {
  const endless = () => Promise.resolve({ data: [{ id: 'same' }], has_more: true });
  await expect(readPages(endless, element)).rejects.toThrow(RangeError);
});
