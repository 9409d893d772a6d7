import { z } from 'zod';
import { MalformedEventError, type CanonicalEvent } from '../canonical-event';
import { identifier } from './values';

/** The content of an event's resource, in addition to the envelope. */
export type EventFacts = Pick<
  CanonicalEvent,
  'type' | 'references' | 'subscription' | 'payment' | 'refund' | 'dispute'
>;

/** @throws MalformedEventError when the resource does not say what the event is about */
export type Reader = (resource: unknown) => EventFacts;

/**
 * Reads what the event is about, which is required. Facts are only read if they are complete; otherwise the event is a
 * hint, and the object is fetched.
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
