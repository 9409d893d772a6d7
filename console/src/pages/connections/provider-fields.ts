import type { Connection } from '../../api/resources';

type Provider = Connection['provider'];

/** A secret that a connection can hold. */
export interface SecretField {
  name: string;
  label: string;
  /** Where to find it at the provider. */
  help: string;
  /** Needed to verify webhooks. */
  verifies: boolean;
}

interface ProviderFields {
  secrets: SecretField[];
  /** The provider's term for a plan's reference. */
  planReference: { label: string; example: string };
  /** How to register the webhook URL at the provider. */
  register: string[];
}

const TEST_SAYS_WHICH = 'Choose all events; or fewer, and the test lists those that are missing.';

export const PROVIDER_FIELDS: Record<Provider, ProviderFields> = {
  provider_a: {
    secrets: [
      { name: 'secretKey', label: 'Secret key', help: 'Begins with sk_ or rk_.', verifies: false },
      {
        name: 'webhookSecret',
        label: 'Webhook signing secret',
        help: 'Begins with whsec_. The provider shows it once the webhook URL is registered. Two are joined by a comma while one replaces the other.',
        verifies: true,
      },
    ],
    planReference: { label: 'Price ID', example: 'price_…' },
    register: [
      'Add the URL as a webhook endpoint in the provider’s dashboard.',
      TEST_SAYS_WHICH,
      'Copy the endpoint’s signing secret. On the connection’s page, press Edit and enter it as the webhook signing secret.',
    ],
  },
  provider_b: {
    secrets: [
      { name: 'clientId', label: 'Client ID', help: 'Of the REST app.', verifies: true },
      { name: 'clientSecret', label: 'Client secret', help: 'Of the same app.', verifies: true },
      {
        name: 'webhookId',
        label: 'Webhook ID',
        help: 'The provider shows it once the webhook URL is registered.',
        verifies: true,
      },
    ],
    planReference: { label: 'Plan ID', example: 'P-…' },
    register: [
      'Add the URL as a webhook of the same app.',
      TEST_SAYS_WHICH,
      'Copy the ID that the webhook gets. On the connection’s page, press Edit and enter it as the webhook ID.',
    ],
  },
  provider_c: {
    secrets: [
      {
        name: 'secretKey',
        label: 'Secret key',
        help: 'Begins with sk_. It verifies webhooks, too.',
        verifies: true,
      },
    ],
    planReference: { label: 'Plan code', example: 'PLN_…' },
    register: [
      'Enter the URL as the account’s webhook URL. An account has one for each mode.',
      'The provider sends every event to it; there is nothing to choose.',
    ],
  },
};

/** Returns the labels of the missing secrets without which every webhook is refused. */
export function missingForWebhooks({
  provider,
  secrets,
}: Pick<Connection, 'provider' | 'secrets'>): string[] {
  return PROVIDER_FIELDS[provider].secrets
    .filter(({ name, verifies }) => verifies && (secrets[name] ?? null) === null)
    .map(({ label }) => label);
}

const CHECKS: Record<string, string> = {
  authentication: 'Authentication',
  permissions: 'Permissions of the key',
  webhook: 'Webhook',
  plan_references: 'Plan references',
  plan_prices: 'Plan prices',
  mode: 'Mode',
};

/** Returns the label of a connection check. */
export function checkName(check: string): string {
  return CHECKS[check] ?? check;
}
