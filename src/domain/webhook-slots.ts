import type { Environment } from './environment';

/** An endpoint with messages that are due. */
export interface DueEndpoint {
  endpointId: string;
  workspaceId: string;
  environment: Environment;
  /** Whether its last attempt failed. */
  isFailing: boolean;
}

/** Number of attempts in progress: in total, and by environment and endpoint. */
export interface UnderWay {
  total: number;
  sandboxes: number;
  ofEnvironment(endpoint: Pick<DueEndpoint, 'workspaceId' | 'environment'>): number;
  ofEndpoint(endpointId: string): number;
}

/** Maximum number of attempts in progress, in total and per endpoint. */
export interface SlotLimits {
  total: number;
  each: number;
}

/**
 * Returns how many more attempts each endpoint may start now.
 *
 * The limits ensure that slow or dead endpoints leave room for the rest: an endpoint has a few slots, a failing one has
 * one, a workspace's environment a quarter of the total, and sandboxes together half. Slots are dealt in rounds, one to
 * each endpoint, in the order given.
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
