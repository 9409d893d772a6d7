import { z } from 'zod';
import { MalformedEventError, type CanonicalEvent } from '../canonical-event';
import { identifier } from './values';

/** What an event's resource tells, beside the envelope. */
export type EventFacts = Pick<
  CanonicalEvent,
  'type' | 'references' | 'subscription' | 'payment' | 'refund' | 'dispute'
>;

/** @throws MalformedEventError when the resource does not say what the event is about */
export type Reader = (resource: unknown) => EventFacts;

/**
 * What an event is about must be there. Facts are read where they are complete; without them the event is a hint, and
 * the object is fetched.
 */
export function required<T>(shape: z.ZodType<T>, resource: unknown, what: string): T {
  const read = shape.safeParse(resource);
  if (read.success) return read.data;
  throw new MalformedEventError(`The event does not state ${what}.`);
}

export function complete<T>(shape: z.ZodType<T>, resource: unknown): T | null {
  const read = shape.safeParse(resource);
  return read.success ? read.data : null;
}

export const named = z.object({ id: identifier });
