import type { z } from 'zod';
import type { ShownChange } from '../domain/shown-change';
import { changeInput, shownChangeInput, type ChangeInput } from './change-resource';

/** A change as stored on its operation: the request, and the preview that the requester saw, if a page showed one. */
export type ChangeOrder = ChangeInput & { shown?: z.output<typeof shownChangeInput> | undefined };

export function readChangeOrder({ shown, ...request }: Readonly<Record<string, unknown>>): ChangeOrder {
  return { ...changeInput.parse(request), shown: shownChangeInput.optional().parse(shown) };
}

export function toShownChange(shown: z.output<typeof shownChangeInput>): ShownChange {
  const { effective, effectiveAt, dueNow, withdraws } = shown;
  return {
    effective,
    effectiveAt: effectiveAt === undefined ? undefined : Date.parse(effectiveAt),
    dueNow: BigInt(dueNow),
    withdraws: withdraws && { planId: withdraws.plan.id, seats: withdraws.seats },
  };
}
