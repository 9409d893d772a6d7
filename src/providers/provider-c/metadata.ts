import { isObject, objectOf, referenceOf, textOf, type LooseObject } from './values';

/**
 * Returns the workspace that a transaction's metadata names, as members of `PaymentFacts`. Only the payment of a checkout
 * has our metadata; a renewal's has the provider's own.
 */
export function workspaceOf(metadata: unknown): { workspaceId?: string } {
  const workspaceId = referenceOf(metadataOf(metadata)['workspaceId']);
  return workspaceId === null ? {} : { workspaceId };
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
