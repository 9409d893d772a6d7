import type { Account } from './account';
import { Problem } from './problem';

/** Resources of a key's permissions, by the paths and the expanded members that they cover. */
const RESOURCES: readonly { name: string; path: RegExp; member: RegExp }[] = [
  { name: 'checkout_session', path: /^\/v1\/checkout\/sessions/, member: /^$/ },
  { name: 'subscription', path: /^\/v1\/subscription/, member: /^subscription$/ },
  { name: 'charge', path: /^\/v1\/(?:charges|refunds)/, member: /^(?:latest_charge|charge)$/ },
  { name: 'invoice', path: /^\/v1\/invoice/, member: /^(?:latest_invoice|invoice|payments)$/ },
  { name: 'payment_intent', path: /^\/v1\/payment_intents/, member: /^payment_intent$/ },
  { name: 'plan', path: /^\/v1\/prices/, member: /^price$/ },
  { name: 'dispute', path: /^\/v1\/disputes/, member: /^dispute$/ },
  { name: 'payout', path: /^\/v1\/payouts/, member: /^payout$/ },
  {
    name: 'balance_transaction_source',
    path: /^\/v1\/balance_transactions/,
    member: /^balance_transaction$/,
  },
  { name: 'balance', path: /^\/v1\/balance$/, member: /^$/ },
  { name: 'webhook', path: /^\/v1\/webhook_endpoints/, member: /^$/ },
];

/** A call of the API, with the members that it wants expanded. */
interface PermittedCall {
  method: string;
  path: string;
  expand: readonly string[];
}

/**
 * Refuses a call for which the account's restricted key lacks a permission: a write, or a read of the resource or of an
 * expanded object. A key that may not read may not write either. Nothing is done, and the idempotency key is not used up.
 *
 * @throws Problem 403
 */
export function requirePermissions(account: Account, { method, path, expand }: PermittedCall): void {
  const members = expand.flatMap((at) => at.split('.'));
  const lacking = RESOURCES.flatMap((resource) => {
    const { name } = resource;
    const read = `${name}_read`;
    const called = resource.path.test(path);
    if (!called && !members.some((member) => resource.member.test(member))) return [];
    return called && method !== 'GET' ? [`${name}_write`, read] : [read];
  }).find((permission) => account.withheld.has(permission));
  if (lacking === undefined) return;
  const key = `${account.secretKey.slice(0, 8)}****${account.secretKey.slice(-4)}`;
  const message = `The provided key '${key}' does not have the required permissions for this endpoint on account '${account.id}'. Having the 'rak_${lacking}' permission would allow this request to continue.`;
  throw new Problem(403, { type: 'invalid_request_error', message }, false);
}
