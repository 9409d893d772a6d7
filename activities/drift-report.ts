import type { DriftReports } from '../src/drift/drift-reports';
import type { DriftReportActivities } from '../workflows/activity-types';
import { withSafeFailures } from './failures';

export interface DriftReportActivityDependencies {
  driftReports: DriftReports;
}

/** Creates the activities that compare subscriptions with their providers, part by part. */
export function createDriftReportActivities({
  driftReports,
}: DriftReportActivityDependencies): DriftReportActivities {
  return {
    reportDrift: ({ connectionId, after, workspaceId, environment }) =>
      withSafeFailures(() => driftReports.report({ workspaceId, environment }, connectionId, after)),
  };
}
