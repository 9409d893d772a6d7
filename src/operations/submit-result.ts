import type { StoredAnswer } from '../idempotency/idempotency-store';
import type { OperationResource } from './operation-resource';

/** What the caller of a command is told: its answer, or that it comes by itself. */
export type SubmitResult =
  { kind: 'answered'; answer: StoredAnswer } | { kind: 'pending'; operation: OperationResource };
