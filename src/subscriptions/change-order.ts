import type { z } from 'zod';
import { changeInput, shownChangeInput, type ChangeInput } from './change-resource';

/** A change as its operation keeps it: what was asked for, and what was shown to who asked, where a page showed it. */
export type ChangeOrder = ChangeInput & { shown?: z.output<typeof shownChangeInput> | undefined };

export function readChangeOrder({ shown, ...request }: Readonly<Record<string, unknown>>): ChangeOrder {
  return { ...changeInput.parse(request), shown: shownChangeInput.optional().parse(shown) };
}
