import type { IncomingMessage } from 'node:http';
import { TollgateError } from '../domain/errors';
import { KeyedCounts } from '../domain/keyed-counts';

/** Bytes of large bodies that a process holds at one time. */
export interface BodyBudgetBounds {
  /** Per owner. */
  each: number;
  /** In total. */
  all: number;
}

/** Limits the memory used by large request bodies in progress. */
export class BodyBudget {
  private readonly taken = new KeyedCounts();

  constructor(private readonly bounds: BodyBudgetBounds) {}

  /**
   * Reserves the bytes of a request's body before it is read.
   *
   * @param most its route's limit, reserved if the request does not state its length
   * @returns releases the reservation
   * @throws TollgateError service_busy
   */
  take(owner: string, request: Pick<IncomingMessage, 'headers'>, most: number): () => void {
    const stated = Number(request.headers['content-length'] ?? most);
    const bytes = Math.min(Number.isFinite(stated) ? stated : most, most);
    if (this.taken.of(owner) + bytes > this.bounds.each || this.taken.total + bytes > this.bounds.all) {
      throw new TollgateError('service_busy', 'Too many large requests are in progress.', { retryAfter: 1 });
    }
    this.taken.add(owner, bytes);
    return () => {
      this.taken.add(owner, -bytes);
    };
  }
}
