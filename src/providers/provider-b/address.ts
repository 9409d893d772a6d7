import type { ConnectionAccess } from '../connection-access';
import { ProviderBFailure } from './failure';

const ADDRESSES = {
  sandbox: 'https://api-m.sandbox.paypal.com',
  live: 'https://api-m.paypal.com',
} as const;

/** Returns the address of the connection's own mode. Only an override for simulators can change it. */
export function addressOf(access: ConnectionAccess): string {
  return (access.baseUrl ?? ADDRESSES[access.apiMode]).replace(/\/+$/, '');
}

const REFERENCE = /^[A-Za-z0-9-]{1,64}$/;

/**
 * Appends a reference to `prefix`. References also come from events and settings, so one that could lead to another
 * path (`..`, `?`) is refused.
 *
 * @throws ProviderBFailure refused
 */
export function pathOf(prefix: string, reference: string): string {
  if (!REFERENCE.test(reference)) {
    throw new ProviderBFailure('refused', 'reference_invalid', 'This is no reference of provider B.');
  }
  return prefix + reference;
}
