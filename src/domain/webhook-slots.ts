/** An endpoint that has something to be sent now. */
export interface DueEndpoint {
  endpointId: string;
  workspaceId: string;
  environment: 'sandbox' | 'production';
  /** Whether its last attempt failed. */
  isFailing: boolean;
}

/** How many attempts are under way: altogether, and by what they are for. */
export interface UnderWay {
  total: number;
  sandboxes: number;
  ofEnvironment(endpoint: Pick<DueEndpoint, 'workspaceId' | 'environment'>): number;
  ofEndpoint(endpointId: string): number;
}

/** How many attempts may be under way at once. */
export interface SlotLimits {
  total: number;
  each: number;
}

/**
 * How many more attempts each endpoint may begin now.
 *
 * Every limit is there so that what is slow or dead leaves room for the rest: an endpoint has a few, one that fails has
 * one, a workspace's environment a quarter of all, and sandboxes together half. Slots are dealt in turns, one to each
 * endpoint, in the order given.
 */
export function shareSlots(
  due: readonly DueEndpoint[],
  underWay: UnderWay,
  { total, each }: SlotLimits,
): Map<string, number> {
  const shares = new Map<string, number>();
  const ofEnvironments = new Map<string, number>();
  let free = total - underWay.total;
  let sandboxes = underWay.sandboxes;
  let waiting = [...due];
  while (free > 0 && waiting.length > 0) {
    const dealt: DueEndpoint[] = [];
    for (const endpoint of waiting) {
      if (free === 0) break;
      const { endpointId, workspaceId, environment, isFailing } = endpoint;
      const place = `${workspaceId} ${environment}`;
      const share = shares.get(endpointId) ?? 0;
      const ofEnvironment = ofEnvironments.get(place) ?? underWay.ofEnvironment(endpoint);
      if (underWay.ofEndpoint(endpointId) + share >= (isFailing ? 1 : each)) continue;
      if (ofEnvironment >= Math.ceil(total / 4)) continue;
      if (environment === 'sandbox' && sandboxes >= Math.ceil(total / 2)) continue;
      shares.set(endpointId, share + 1);
      ofEnvironments.set(place, ofEnvironment + 1);
      if (environment === 'sandbox') sandboxes += 1;
      free -= 1;
      dealt.push(endpoint);
    }
    waiting = dealt;
  }
  return shares;
}
