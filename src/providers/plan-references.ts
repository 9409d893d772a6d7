/**
 * Returns the provider's references in a connection's own `planReferences`, by the plan's id or slug. The schema of the
 * settings admits only text; anything else is left out.
 */
export function planReferencesOf(settings: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const { planReferences } = settings;
  if (typeof planReferences !== 'object' || planReferences === null) return new Map();
  const entries = Object.entries(planReferences);
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
