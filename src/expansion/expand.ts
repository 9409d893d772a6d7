import type { PlanResource } from '../catalog/plan-resource';
import type { CustomerResource } from '../customers/customer-resource';
import type { Actor } from '../tenancy/actor';
import type { Expanded, ExpansionName } from './expanded-resource';

/** A resource that refers to its customer, and possibly to a plan. */
export interface Expandable {
  customerId: string;
  plan?: { id: string } | null;
}

/** Reads resources together with those they refer to, each customer and plan once. */
export type Expand = <Item extends Expandable>(
  actor: Actor,
  items: readonly Item[],
  names: readonly ExpansionName[],
) => Promise<(Item & { expanded: Expanded })[]>;

interface Collection<Resource> {
  /** Returns those with these ids that exist. */
  listNamed(actor: Actor, ids: readonly string[]): Promise<Resource[]>;
}

export function createExpand(
  allCustomers: Collection<CustomerResource>,
  allPlans: Collection<PlanResource>,
): Expand {
  return async (actor, items, names) => {
    const customers = names.includes('customer')
      ? await readEach(
          allCustomers,
          actor,
          items.map(({ customerId }) => customerId),
        )
      : new Map<string, CustomerResource>();
    const plans = names.includes('plan')
      ? await readEach(
          allPlans,
          actor,
          items.flatMap(({ plan }) => plan?.id ?? []),
        )
      : new Map<string, PlanResource>();
    return items.map((item) => {
      const customer = customers.get(item.customerId);
      const plan = plans.get(item.plan?.id ?? '');
      return { ...item, expanded: { ...(customer && { customer }), ...(plan && { plan }) } };
    });
  };
}

async function readEach<Resource extends { id: string }>(
  collection: Collection<Resource>,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Resource>> {
  const once = [...new Set(ids)];
  const found = once.length === 0 ? [] : await collection.listNamed(actor, once);
  return new Map(found.map((resource) => [resource.id, resource]));
}
