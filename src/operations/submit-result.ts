import type { StoredAnswer } from '../idempotency/idempotency-store';
import type { OperationResource } from './operation-resource';

/** A command's stored answer, or the operation that is still open (202). */
export type SubmitResult =
  | { kind: 'answered'; answer: StoredAnswer }
  | { kind: 'pending'; operation: OperationResource };
