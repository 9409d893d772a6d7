import { TollgateError } from '../domain/errors';

/** Who opens a stream. */
export interface StreamHolder {
  workspaceId: string;
  /** An operator, or a key. */
  callerId: string;
}

/** How many streams one process has open at once. */
export interface StreamBounds {
  process: number;
  /** Of one organization, so that no organization takes the places of all others. */
  workspace: number;
  /** Of one operator, in all browsers and organizations together; or of one key. */
  caller: number;
}

/** Browsers open at most six connections to a host, so that an operator with three of them stays within the bound. */
const STREAM_BOUNDS: StreamBounds = { process: 500, workspace: 100, caller: 20 };

/** Places for open streams. Each stream holds a socket and is read for several times a second. */
export interface StreamLimits {
  /** @throws TollgateError service_busy, too_many_streams when there is no place for this holder */
  assertFree(holder: StreamHolder): void;
  /**
   * Takes a place. The returned function gives it back; only its first call counts.
   *
   * @throws TollgateError service_busy, too_many_streams
   */
  take(holder: StreamHolder): () => void;
}

export function createStreamLimits(bounds: Partial<StreamBounds> = {}): StreamLimits {
  const { process, workspace, caller } = { ...STREAM_BOUNDS, ...bounds };
  const counts = { process: 0, workspaces: new Map<string, number>(), callers: new Map<string, number>() };

  const assertFree = ({ workspaceId, callerId }: StreamHolder): void => {
    if ((counts.callers.get(callerId) ?? 0) >= caller) {
      throw tooMany(`You have ${caller} streams open already.`);
    }
    if ((counts.workspaces.get(workspaceId) ?? 0) >= workspace) {
      throw tooMany(`This organization has ${workspace} streams open already.`);
    }
    if (counts.process >= process) {
      throw noStreamCapacity();
    }
  };

  const add = ({ workspaceId, callerId }: StreamHolder, by: 1 | -1): void => {
    counts.process += by;
    addTo(counts.workspaces, workspaceId, by);
    addTo(counts.callers, callerId, by);
  };

  return {
    assertFree,
    take(holder) {
      assertFree(holder);
      add(holder, 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        add(holder, -1);
      };
    },
  };
}

function addTo(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** What a process answers that opens no further stream. */
export function noStreamCapacity(): TollgateError {
  const detail = 'This process has reached its limit of open streams.';
  return new TollgateError('service_busy', detail, { retryAfter: 5 });
}

function tooMany(detail: string): TollgateError {
  return new TollgateError('too_many_streams', detail, { retryAfter: 30 });
}
