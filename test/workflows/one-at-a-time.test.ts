import { setTimeout as pause } from 'node:timers/promises';
import { createLock } from '../../workflows/one-at-a-time';

test('pieces of work follow each other in the order they came, also after one that fails', async () => {
  const oneAtATime = createLock();
  const steps: string[] = [];
  const piece = (name: string, milliseconds: number) => async (): Promise<string> => {
    steps.push(`${name} begins`);
    await pause(milliseconds);
    steps.push(`${name} ends`);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const results = await Promise.allSettled([
    oneAtATime(piece('a', 20)),
    oneAtATime(piece('b', 10)),
    oneAtATime(piece('c', 0)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(steps).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});
