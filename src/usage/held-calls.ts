import type { WaitingCall } from './usage-call';

/** Calls that are tried together, beside their lane. */
export interface HeldGroup {
  /** Whose balances another transaction holds; undefined for a call that is tried alone. */
  customer: string | undefined;
  calls: WaitingCall[];
  /** Since when the first of them waits, in milliseconds of the process' own clock. */
  since: number;
}

/**
 * How long a held call waits for its try (milliseconds). Each try may wait for a lock for two seconds, and those of a
 * workspace come one or two at a time: whoever holds many customers would otherwise keep the last call for minutes.
 */
const LONGEST_WAIT_MS = 10_000;

/**
 * The calls of a lane that another transaction stands in the way of, in their order. Those of one customer make one try,
 * because they wait for one lock.
 */
export class HeldCalls {
  private readonly groups: HeldGroup[] = [];
  /** The group of a customer that takes further calls. */
  private readonly open = new Map<string, HeldGroup>();
  /** Calls in all groups. */
  size = 0;

  constructor(
    private readonly mostInGroup: number,
    private readonly longestWaitMs = LONGEST_WAIT_MS,
  ) {}

  add(waiting: WaitingCall, customer: string | undefined, now: number): void {
    this.size += 1;
    const same = customer === undefined ? undefined : this.open.get(customer);
    if (same !== undefined && same.calls.length < this.mostInGroup) {
      same.calls.push(waiting);
      return;
    }
    const group = { customer, calls: [waiting], since: now };
    this.groups.push(group);
    if (customer !== undefined) this.open.set(customer, group);
  }

  /** The group that has waited longest. */
  next(): HeldGroup | undefined {
    const group = this.groups.shift();
    if (group === undefined) return undefined;
    this.size -= group.calls.length;
    if (group.customer !== undefined && this.open.get(group.customer) === group)
      this.open.delete(group.customer);
    return group;
  }

  waitedTooLong(group: HeldGroup, now: number): boolean {
    return now - group.since > this.longestWaitMs;
  }
}
