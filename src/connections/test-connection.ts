import { redactSecrets } from '../providers/redact-secrets';
import type { PlanPriceResource } from '../catalog/plan-price-resource';
import type { ConnectionTest } from './connection-resource';
import type { ConnectedProvider } from './connected-providers';

/** Runs every check of the provider's adapter; if it throws, that is itself the result. */
export async function testConnection({ adapter, access }: ConnectedProvider): Promise<Tested> {
  try {
    const checks = await adapter.testConnection(access);
    return {
      ok: checks.every(({ ok }) => ok),
      checks: checks.map((check) => ({ ...check, message: redactSecrets(access, check.message) })),
    };
  } catch {
    // An error thrown by a client can quote the request.
    const message = `${adapter.provider} could not be reached. Try again, and check the provider’s status page.`;
    return { ok: false, checks: [{ check: 'authentication', ok: false, message }] };
  }
}

/**
 * Adds each plan's price here and at the provider, if read. A price that states too little to be compared is listed,
 * not a failure; one that the provider does not show is.
 */
export function withPlanPrices({ checks }: Tested, read: PlanPriceResource[] | null): ConnectionTest {
  const planPrices = read ?? [];
  const unequal = planPrices.filter(({ result }) => result !== 'equal');
  const unread = unequal.filter(({ code }) => code === 'not_read').length;
  const ok = unequal.every(({ result }) => result === 'unverifiable') && unread === 0;
  const lines = unequal.map(({ plan, words }) => `${plan.slug}: ${words ?? ''}`);
  const counted =
    read === null
      ? 'Not compared, because authentication failed.'
      : planPrices.length === 0
        ? 'No plan is mapped at this connection.'
        : `${planPrices.length - unequal.length} of ${planPrices.length} prices match${unread === 0 ? '' : `, ${unread} could not be read`}.`;
  const message = [counted, ...lines].join(' ');
  const all = [...checks, { check: 'plan_prices' as const, ok: ok && read !== null, message }];
  return { ok: all.every((check) => check.ok), checks: all, planPrices };
}

/** The results of the adapter's checks. */
type Tested = Pick<ConnectionTest, 'ok' | 'checks'>;
