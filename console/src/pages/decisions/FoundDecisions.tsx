import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { Sentence } from '../../ui/Sentence';
import { StatusBadge } from '../../ui/StatusBadge';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';

interface FoundDecisionsProps {
  /** A request id or an external id. */
  word: string;
  /** Only decisions before this time. */
  before?: string | undefined;
}

/** Decisions of a request or of a customer, newest first. */
export function FoundDecisions({ word, before }: FoundDecisionsProps) {
  const { query } = useWorkspace();
  const filter = {
    ...(word.startsWith('req_') ? { requestId: word } : { externalId: word }),
    ...(before !== undefined && { to: new Date(before).toISOString() }),
  };
  return (
    <PagedTable
      label="Decisions"
      queryKey={['events', query, filter]}
      load={async (cursor) => {
        let next = cursor;
        for (;;) {
          const page = await bodyOf(
            api.GET('/api/developer-events', {
              params: { query: { ...query, ...filter, ...(next && { cursor: next }) } },
            }),
          );
          const data = page.data.filter((event) => typeof event.data['decisionId'] === 'string');
          next = page.nextCursor;
          // A page with only other events would look like the end.
          if (data.length > 0 || next === undefined) return { ...page, data };
        }
      }}
      rowKey={({ id }) => id}
      columns={[
        { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} precision="second" /> },
        { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
        {
          title: 'What',
          cell: ({ message }) => (
            <bdi>
              <Sentence text={message} />
            </bdi>
          ),
        },
        {
          title: 'Decision',
          cell: ({ data }) => (
            <WorkspaceLink path={`/decisions?id=${encodeURIComponent(String(data['decisionId']))}`}>
              Explain it
            </WorkspaceLink>
          ),
        },
      ]}
      empty={
        <EmptyState title="None is found">A request id and an external id are compared whole.</EmptyState>
      }
    />
  );
}
