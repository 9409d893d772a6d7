import { createEntitlements, type Entitlements } from './entitlement-service';
import { createFeatures, type Features } from './feature-service';
import { createPlanGroups, type PlanGroups } from './plan-group-service';
import { createPlans, type CatalogOptions, type Plans } from './plan-service';

/** What a workspace sells: plans in groups, and the features they grant. */
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
