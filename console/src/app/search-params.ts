/** Filters as the address takes them: those that are set. */
export function setParams(filters: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** The tab that an address names. */
export function readTab({ tab }: Record<string, unknown>): { tab?: string } {
  return typeof tab === 'string' ? { tab } : {};
}

/** The act that an address filters records by. */
export function readAction({ action }: Record<string, unknown>): { action?: string } {
  return typeof action === 'string' ? { action } : {};
}

/** What an address searches for. */
export function readSearch({ search }: Record<string, unknown>): { search?: string } {
  return typeof search === 'string' ? { search } : {};
}
