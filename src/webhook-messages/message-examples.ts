import type { WebhookType } from '../domain/webhook-types';
import examples from './examples.json';

const byType: Partial<Record<string, object>> = examples;

/**
 * A payload of the type, as the service has rendered it, with ids and instants of one form. `examples.json` is written by
 * `test/webhook-messages/examples.ts`, which compares it with what is sent.
 */
export function exampleOf(type: WebhookType): object | undefined {
  return byType[type];
}
