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

/** What of an endpoint's deliveries an address shows. */
export interface DeliverySearch {
  status?: string;
  /** The message whose attempts are open. */
  delivery?: string;
  /** The resend whose progress is shown. */
  resend?: string;
}

/** The deliveries that an address shows. */
export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  const word = (name: string) => (typeof search[name] === 'string' ? search[name] : undefined);
  return setParams({ status: word('status'), delivery: word('delivery'), resend: word('resend') });
}
