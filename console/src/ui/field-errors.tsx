import type { ReactNode } from 'react';
import { problemOf, type Problem } from '../api/problem';
import { ApiText } from './ApiText';

/** Returns a problem's errors by form field: the pointer `/price/amount` is `price.amount`. */
export function fieldErrors(error: unknown): Record<string, ReactNode> {
  const wrong = problemOf(error).errors ?? [];
  return Object.fromEntries(
    wrong.map((one) => {
      const text = inSentences(one);
      return [
        one.pointer.replace(/^#?\/(body\/)?/, '').replaceAll('/', '.'),
        // At its field, nothing precedes what is wrong.
        <ApiText key={one.pointer} text={text.charAt(0).toUpperCase() + text.slice(1)} />,
      ];
    }),
  );
}

/** Returns what is wrong with a member, which follows the member's name (`is already taken`), and what to do. */
export function inSentences({ message, fix }: NonNullable<Problem['errors']>[number]): string {
  return `${message.replace(/\.$/, '')}. ${fix}`.trim();
}
