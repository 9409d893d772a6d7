import { TollgateError } from '../domain/errors';

/** The party that opens a stream. */
export interface StreamHolder {
  workspaceId: string;
  /** Id of an operator or a key. */
  callerId: string;
}

/** Maximum number of streams open at once in one process. */
export interface StreamBounds {
  process: number;
  /** Per organization, so that none can take the slots of all others. */
  workspace: number;
  /** Per operator, across browsers and organizations; or per key. */
  caller: number;
}

/** Browsers open at most six connections to a host, so an operator with three browsers stays within the limit. */
const STREAM_BOUNDS: StreamBounds = { process: 500, workspace: 100, caller: 20 };

/** Slots for open streams. Each stream holds a socket and causes several reads a second. */
export interface StreamLimits {
  /** @throws TollgateError service_busy, too_many_streams if no slot is free for this holder */
  assertFree(holder: StreamHolder): void;
  /**
   * Takes a slot. The returned function releases it; only its first call counts.
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

/** Error of a process that opens no further streams. */
export function noStreamCapacity(): TollgateError {
  const detail = 'This process has reached its limit of open streams.';
  return new TollgateError('service_busy', detail, { retryAfter: 5 });
}

function tooMany(detail: string): TollgateError {
  return new TollgateError('too_many_streams', detail, { retryAfter: 30 });
}
