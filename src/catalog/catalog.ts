import { createEntitlements, type Entitlements } from './entitlements';
import { createFeatures, type Features } from './features';
import { createPlanGroups, type PlanGroups } from './plan-groups';
import { createPlans, type CatalogOptions, type Plans } from './plans';

/** What a workspace sells: plans in groups, and what they grant of which features. */
export interface Catalog {
  planGroups: PlanGroups;
  plans: Plans;
  features: Features;
  entitlements: Entitlements;
}

export function createCatalog(options: CatalogOptions): Catalog {
  return {
    planGroups: createPlanGroups(options),
    plans: createPlans(options),
    features: createFeatures(options),
    entitlements: createEntitlements(options),
  };
}
