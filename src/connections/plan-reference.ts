import { TollgateError } from '../domain/errors';
import type { PaymentProvider } from '../domain/provider';

/** Where a plan names itself at a provider, for connections that do not say. */
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
 * The provider's name of a plan: by the connection's `planReferences` under the plan's id or slug, or else by the
 * plan's own metadata (specification, section 2). Null when it has none.
 */
export function planReferenceOf(
  { provider, settings }: { provider: PaymentProvider; settings: Readonly<Record<string, unknown>> },
  plan: NamedPlan,
): string | null {
  const references = settings['planReferences'];
  const named = isRecord(references) ? (references[plan.id] ?? references[plan.slug]) : undefined;
  const found = named ?? plan.metadata[MEMBERS[provider]];
  return typeof found === 'string' && found !== '' ? found : null;
}

/** The member of a plan's metadata that names it at a provider. */
export function planMemberOf(provider: PaymentProvider): string {
  return MEMBERS[provider];
}

/**
 * A connection's settings for its adapter, which knows no catalogue: with the plans that name themselves. What the
 * connection says of a plan stands.
 */
export function withNamedPlans(
  connection: { provider: PaymentProvider; settings: Readonly<Record<string, unknown>> },
  plans: readonly NamedPlan[],
): Readonly<Record<string, unknown>> {
  const { planReferences } = connection.settings;
  const given = isRecord(planReferences) ? planReferences : {};
  const own = plans
    .filter(({ id, slug }) => given[id] === undefined && given[slug] === undefined)
    .flatMap((plan) => {
      const reference = planReferenceOf(connection, plan);
      return reference === null ? [] : [[plan.slug, reference] as const];
    });
  if (own.length === 0) return connection.settings;
  return { ...connection.settings, planReferences: { ...Object.fromEntries(own), ...given } };
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
