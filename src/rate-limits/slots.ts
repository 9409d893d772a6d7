import { TollgateError, type ErrorCode } from '../domain/errors';
import { KeyedCounts } from '../domain/keyed-counts';

/** Who takes a slot. */
export interface SlotHolder {
  workspaceId: string;
  /** Id of an operator or a key. */
  callerId: string;
}

/** Maximum number of slots taken at once in one process. */
export interface SlotBounds {
  process: number;
  /** Per organization, so that none can take the slots of all others. */
  workspace: number;
  /** Per operator, across browsers and organizations; or per key. */
  caller: number;
}

/** Slots for long responses: each holds a socket and memory, and reads from the database again and again. */
export interface Slots {
  /** @throws TollgateError the refusal, if no slot is free for this holder */
  assertFree(holder: SlotHolder): void;
  /**
   * Takes a slot. The returned function releases it; only its first call counts.
   *
   * @throws TollgateError the refusal
   */
  take(holder: SlotHolder): () => void;
}

/** The refusal of a holder that gets no slot. */
export interface SlotRefusal {
  /** Code if the organization or the caller has reached its bound. If the process has, it is service_busy. */
  code: ErrorCode;
  /** What they have too many of, after a number: `exports in progress`. */
  taken: string;
  /** What the process has no capacity for. */
  what: string;
  /** Seconds until a retry, unless the process has no capacity. */
  retryAfter: number;
}

export function createSlots(bounds: SlotBounds, { code, taken, what, retryAfter }: SlotRefusal): Slots {
  const { process, workspace, caller } = bounds;
  const workspaces = new KeyedCounts();
  const callers = new KeyedCounts();

  const tooMany = (whose: string, count: number): TollgateError =>
    new TollgateError(code, `${whose} ${count} ${taken} already.`, { retryAfter });

  const assertFree = ({ workspaceId, callerId }: SlotHolder): void => {
    if (callers.of(callerId) >= caller) throw tooMany('You have', caller);
    if (workspaces.of(workspaceId) >= workspace) throw tooMany('This organization has', workspace);
    if (callers.total >= process) throw noCapacity(what);
  };

  const add = ({ workspaceId, callerId }: SlotHolder, by: 1 | -1): void => {
    workspaces.add(workspaceId, by);
    callers.add(callerId, by);
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

/** Error of a process that takes no more of something. */
export function noCapacity(what: string): TollgateError {
  return new TollgateError('service_busy', `This process has reached its limit of ${what}.`, {
    retryAfter: 5,
  });
}
