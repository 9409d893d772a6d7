import type { PaymentFacts } from '../canonical-event';
import { isObject, objectOf, referenceOf, textOf, type LooseObject } from './values';

/**
 * Returns what a transaction says about its origin: the workspace in its metadata, and its plan. Only the payment of a
 * checkout has our metadata; a renewal's has the provider's own.
 */
export function originOf(transaction: LooseObject): Pick<PaymentFacts, 'workspaceId' | 'planReference'> {
  const workspaceId = referenceOf(metadataOf(transaction['metadata'])['workspaceId']);
  const planReference = planCodeOf(transaction);
  return { ...(workspaceId !== null && { workspaceId }), ...(planReference !== null && { planReference }) };
}

/** Returns the code of the plan that a transaction is for; null if it names none: `""` and `{}` both mean that. */
export function planCodeOf({ plan, plan_object: object }: LooseObject): string | null {
  return (
    referenceOf(plan) ??
    referenceOf(objectOf(plan)['plan_code']) ??
    referenceOf(objectOf(object)['plan_code'])
  );
}

/** Reads metadata, which may be an object, its JSON text, 0, `""` or null. */
function metadataOf(metadata: unknown): LooseObject {
  if (isObject(metadata)) return metadata;
  const text = textOf(metadata);
  if (text?.startsWith('{') !== true) return {};
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}
