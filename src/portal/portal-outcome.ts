import { z } from 'zod';
import { abandonedError } from '../operations/abandonment-errors';
import { fromOperationProblem } from '../operations/operation-problem';
import type { OperationRow } from '../operations/operation-store';
import { toCustomerSafe } from './customer-safe';

/** What became of a command that was answered 202, as its customer sees it. */
export const portalOutcomeSchema = z.object({
  state: z.enum(['under_way', 'done', 'refused']),
  code: z.string().nullable().meta({ description: 'Why it was refused.' }),
  reason: z.string().nullable().meta({ description: 'The same as a sentence, where there is one.' }),
});

export type PortalOutcome = z.output<typeof portalOutcomeSchema>;

/** A refusal is told as it would have been at once: in words for customers. */
export function toPortalOutcome({
  status,
  problem,
}: Pick<OperationRow, 'status' | 'problem'>): PortalOutcome {
  switch (status) {
    case 'pending':
    case 'accepted':
      return { state: 'under_way', code: null, reason: null };
    case 'succeeded':
      return { state: 'done', code: null, reason: null };
    case 'refused':
    case 'abandoned': {
      const refusal = problem === null ? abandonedError() : fromOperationProblem(problem);
      const { code, extra } = toCustomerSafe(refusal);
      const reason = extra?.['reason'];
      return { state: 'refused', code, reason: typeof reason === 'string' ? reason : null };
    }
  }
}
