import { Stack } from '@mantine/core';
import { PageHeader } from '../../ui/PageHeader';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { Features } from './Features';
import { PlanGroups } from './PlanGroups';
import { Plans } from './Plans';

/** The catalogue: groups of alternative plans, and the features that they include. */
export function CataloguePage() {
  return (
    <>
      <PageHeader
        title="Catalogue"
        about="A plan group holds alternative plans; a plan has a price and entitlements to features."
      />
      <Stack>
        <WorkspaceLink path="/catalogue/grid" size="sm">
          Entitlement grid: features by plans
        </WorkspaceLink>
        <Plans />
        <Features />
        <PlanGroups />
      </Stack>
    </>
  );
}
