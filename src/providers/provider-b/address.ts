import type { ConnectionAccess } from '../connection-access';
import { ProviderBFailure } from './failure';

const ADDRESSES = {
  sandbox: 'https://api-m.sandbox.paypal.com',
  live: 'https://api-m.paypal.com',
} as const;

/** The address of the connection's own mode. Nothing else chooses it, apart from an override for simulators. */
export function addressOf(access: ConnectionAccess): string {
  return (access.baseUrl ?? ADDRESSES[access.apiMode]).replace(/\/+$/, '');
}

const REFERENCE = /^[A-Za-z0-9-]{1,64}$/;

/**
 * `prefix` + reference. A reference also comes from events and settings, so that nothing that could lead to another
 * path (`..`, `?`) is put into one.
 *
 * @throws ProviderBFailure refused
 */
export function pathOf(prefix: string, reference: string): string {
  if (!REFERENCE.test(reference)) {
    throw new ProviderBFailure('refused', 'reference_invalid', 'This is no reference of provider B.');
  }
  return prefix + reference;
}
