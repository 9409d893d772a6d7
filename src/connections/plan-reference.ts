import { TollgateError } from '../domain/errors';
import type { PaymentProvider } from '../domain/provider';
import { planReferencesOf } from '../providers/plan-references';

/** The member of a plan's metadata with its reference at a provider, used if the connection has none. */
const MEMBERS: Record<PaymentProvider, string> = {
  provider_a: 'providerAPriceId',
  provider_b: 'providerBPlanId',
  provider_c: 'providerCPlanCode',
};

interface NamedPlan {
  id: string;
  slug: string;
  metadata: Readonly<Record<string, unknown>>;
}

/**
 * Returns the provider's reference of a plan: from the connection's `planReferences` under the plan's id or slug,
 * otherwise from the plan's own metadata (specification, section 2). Null if it has none.
 */
export function planReferenceOf(
  { provider, settings }: { provider: PaymentProvider; settings: Readonly<Record<string, unknown>> },
  plan: NamedPlan,
): string | null {
  const found = configuredReference(settings, plan) ?? plan.metadata[MEMBERS[provider]];
  return typeof found === 'string' && found !== '' ? found : null;
}

/** Returns the connection's own reference of a plan; undefined if it has none. */
function configuredReference(
  settings: Readonly<Record<string, unknown>>,
  { id, slug }: Pick<NamedPlan, 'id' | 'slug'>,
): string | undefined {
  const configured = planReferencesOf(settings);
  return configured.get(id) ?? configured.get(slug);
}

/** Returns the member of a plan's metadata with its reference at a provider. */
export function planMemberOf(provider: PaymentProvider): string {
  return MEMBERS[provider];
}

/**
 * Returns a connection's settings including references from the plans' metadata, because adapters have no access to the
 * catalogue. The connection's own references take precedence.
 */
export function withNamedPlans(
  connection: { provider: PaymentProvider; settings: Readonly<Record<string, unknown>> },
  plans: readonly NamedPlan[],
): Readonly<Record<string, unknown>> {
  const own = plans
    .filter((plan) => configuredReference(connection.settings, plan) === undefined)
    .flatMap((plan) => {
      const reference = planReferenceOf(connection, plan);
      return reference === null ? [] : [[plan.slug, reference] as const];
    });
  if (own.length === 0) return connection.settings;
  const configured = planReferencesOf(connection.settings);
  return { ...connection.settings, planReferences: Object.fromEntries([...own, ...configured]) };
}

/** @throws TollgateError plan_not_mapped */
export function requirePlanReference(
  connection: { id: string; provider: PaymentProvider; settings: Readonly<Record<string, unknown>> },
  plan: NamedPlan,
): string {
  const reference = planReferenceOf(connection, plan);
  if (reference !== null) return reference;
  throw new TollgateError(
    'plan_not_mapped',
    `The plan "${plan.slug}" has no reference at the connection "${connection.id}".`,
    { extra: { connectionId: connection.id, planId: plan.id } },
  );
}
