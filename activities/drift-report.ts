import type { DriftReports } from '../src/drift/drift-reports';
import type { DriftReportActivities } from '../workflows/activity-types';
import { withSafeFailures } from './failures';

export interface DriftReportActivityDependencies {
  driftReports: DriftReports;
}

/** Compares subscriptions with their provider's, part by part. */
export function createDriftReportActivities({
  driftReports,
}: DriftReportActivityDependencies): DriftReportActivities {
  return {
    reportDrift: ({ connectionId, after, workspaceId, environment }) =>
      withSafeFailures(() => driftReports.report({ workspaceId, environment }, connectionId, after)),
  };
}
