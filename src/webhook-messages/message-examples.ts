import type { WebhookType } from '../domain/webhook-types';
import examples from './examples.json';

const byType: Partial<Record<string, object>> = examples;

/**
 * Returns an example payload of the type, as rendered by the service, with normalized ids and instants. `examples.json`
 * is written by `test/webhook-messages/examples.ts`, which compares it with what is sent.
 */
export function exampleOf(type: WebhookType): object | undefined {
  return byType[type];
}
