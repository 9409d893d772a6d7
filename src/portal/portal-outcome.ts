import { z } from 'zod';
import { abandonedError } from '../operations/abandonment-errors';
import { fromOperationProblem } from '../operations/operation-problem';
import type { OperationRow } from '../operations/operation-store';
import { toCustomerSafe } from './customer-safe';

/** Outcome of a command that was answered 202, as shown to its customer. */
export const portalOutcomeSchema = z.object({
  state: z.enum(['under_way', 'done', 'refused']),
  code: z.string().nullable().meta({ description: 'Why it was refused.' }),
  reason: z.string().nullable().meta({ description: 'The same as a sentence, where there is one.' }),
});

export type PortalOutcome = z.output<typeof portalOutcomeSchema>;

/** Converts an operation's outcome. A refusal is worded for customers, as it would have been if immediate. */
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
