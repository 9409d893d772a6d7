import { KeyedCounts } from '../domain/keyed-counts';
import type { WaitingCall } from './usage-call';

/** Calls that are tried together, outside of their lane. */
export interface HeldGroup {
  /** Customer whose balances another transaction holds; undefined for a call that is tried alone. */
  customer: string | undefined;
  calls: WaitingCall[];
  /** Since when its first call has been waiting, in milliseconds of the process's own clock. */
  since: number;
}

/**
 * Maximum time that a held call waits for its try, in milliseconds. Each try may wait two seconds for a lock, and a
 * workspace's tries run one or two at a time, so a caller that holds many customers could otherwise delay the last call
 * for minutes.
 */
const MAX_WAIT_MS = 10_000;

/**
 * Calls of a lane that are blocked by another transaction, in order. Calls of the same customer are tried together,
 * because they wait for the same lock.
 */
export class HeldCalls {
  private readonly groups: HeldGroup[] = [];
  /** The group of a customer that accepts further calls. */
  private readonly open = new Map<string, HeldGroup>();
  /** By customer: its calls that are in groups or being tried. */
  private readonly undecided = new KeyedCounts();
  /** Number of calls in all groups. */
  size = 0;

  constructor(private readonly mostInGroup: number) {}

  add(waiting: WaitingCall, customer: string | undefined, now: number): void {
    this.size += 1;
    if (customer !== undefined) this.undecided.add(customer, 1);
    const same = customer === undefined ? undefined : this.open.get(customer);
    if (same !== undefined && same.calls.length < this.mostInGroup) {
      same.calls.push(waiting);
      return;
    }
    const group = { customer, calls: [waiting], since: now };
    this.groups.push(group);
    if (customer !== undefined) this.open.set(customer, group);
  }

  /** Removes and returns the group that has waited longest. */
  next(): HeldGroup | undefined {
    const group = this.groups.shift();
    if (group === undefined) return undefined;
    this.size -= group.calls.length;
    if (group.customer !== undefined && this.open.get(group.customer) === group)
      this.open.delete(group.customer);
    return group;
  }

  /** Notes that the calls of a group have been tried. */
  settled({ customer, calls }: HeldGroup): void {
    if (customer !== undefined) this.undecided.add(customer, -calls.length);
  }

  /** Whether calls of the customer are still undecided because another transaction holds its balances. */
  hasCallsOf(customer: string): boolean {
    return this.undecided.of(customer) > 0;
  }

  waitedTooLong(group: HeldGroup, now: number): boolean {
    return now - group.since > MAX_WAIT_MS;
  }
}
