import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { AccessGrant } from '../../api/resources';
import { PROVIDER_FIELDS } from '../connections/provider-fields';

/** What former members made that keeps working. For admins. */
export function accessReviewQuery(organizationId: string) {
  return queryOptions({
    queryKey: ['access-review', organizationId],
    queryFn: () =>
      bodyOf(api.GET('/api/organizations/{id}/access-review', { params: { path: { id: organizationId } } })),
  });
}

/** The kinds of access, as titles of their entries. */
export const KINDS: Record<AccessGrant['kind'], string> = {
  api_key: 'API key',
  provider_connection: 'Provider connection',
  webhook_endpoint: 'Webhook endpoint',
  member: 'Member',
};

/** Returns the path of the page on which to decide about it, after `/o/{organization}/{environment}`. */
export function pathOf({ kind, id, name }: AccessGrant): string {
  return {
    api_key: '/developer/api-keys',
    provider_connection: `/connections/${id}`,
    webhook_endpoint: `/developer/webhooks/${id}`,
    member: `/members?search=${encodeURIComponent(name)}`,
  }[kind];
}

/** Returns what its maker did, as a verb before `by`. */
export function madeInWords({ kind, parts }: AccessGrant): string {
  if (kind === 'member') return 'Invited';
  if (kind === 'api_key') return 'Created';
  const known = parts ?? [];
  if (kind === 'provider_connection') return known.length > 0 ? 'Secrets entered' : 'Created';
  return known.includes('address') ? 'Address entered' : 'Secret made';
}

/** Returns what to do about it, after which it is no longer listed. */
export function adviceOn({ kind, parts }: AccessGrant): string {
  const known = parts ?? [];
  switch (kind) {
    case 'api_key':
      return 'Its creator may still know it. Roll it and give the new key to your servers, or revoke it.';
    case 'provider_connection':
      return known.length > 0
        ? `They may still know its ${enumerated(known.map(secretName))}. ${known.length === 1 ? 'Replace it at the provider, and enter the new one' : 'Replace them at the provider, and enter the new ones'} with Edit.`
        : 'It has no secrets. Enter them with Edit, or disable it.';
    case 'webhook_endpoint':
      return known.includes('address')
        ? `Check who owns the address, and confirm or change it.${known.includes('secret') ? ' They also know the signing secret: roll it.' : ''} Or delete it.`
        : 'They know the signing secret: roll it.';
    case 'member':
      return 'Keep them, change their role, or remove them. They are listed for 30 days after they joined.';
  }
}

/** Returns the label of a connection's secret, in the middle of a sentence. */
function secretName(name: string): string {
  const fields = Object.values(PROVIDER_FIELDS).flatMap(({ secrets }) => secrets);
  const label = fields.find((field) => field.name === name)?.label ?? name;
  return label.charAt(0).toLowerCase() + label.slice(1);
}

function enumerated(words: string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(words);
}
