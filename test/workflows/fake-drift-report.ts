import type { DriftReportActivities, SettlementActivities } from '../../workflows/activity-types';

/** Fakes connections whose subscriptions are compared in `parts` batches each. `asked`: where each batch began. */
export function driftReporting(parts: Readonly<Record<string, number>>): {
  billing: Pick<SettlementActivities, 'listSettlementConnections'>;
  providers: DriftReportActivities;
  pages: ReadonlyMap<string, (string | null)[]>;
} {
  const pages = new Map<string, (string | null)[]>();
  const ids = Object.keys(parts).sort();
  return {
    pages,
    billing: {
      listSettlementConnections: ({ after }) => {
        const connections = ids
          .filter((id) => id > after)
          .map((connectionId) => ({
            workspaceId: 'org_test',
            environment: 'sandbox' as const,
            connectionId,
          }));
        return Promise.resolve({ connections, after: null });
      },
    },
    providers: {
      reportDrift: ({ connectionId, after }) => {
        const begun = [...(pages.get(connectionId) ?? []), after];
        pages.set(connectionId, begun);
        const next = begun.length < (parts[connectionId] ?? 0) ? `sub_${begun.length}` : null;
        return Promise.resolve({ after: next, compared: 25, found: 0, gone: 0, unread: 0 });
      },
    },
  };
}
