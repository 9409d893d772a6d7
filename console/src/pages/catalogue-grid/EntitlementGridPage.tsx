import { Loader, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { EntitlementGrid } from './EntitlementGrid';

/** What each plan of a group includes of each feature, side by side. The address names the group. */
export function EntitlementGridPage() {
  const { query } = useWorkspace();
  const { group } = useSearch({ from: '/signed-in/o/$organization/$environment/catalogue/grid' });
  const navigate = useNavigate();
  const groups = useQuery({
    queryKey: ['plan-groups', query, 'choice'],
    queryFn: () => bodyOf(api.GET('/api/plan-groups', { params: { query: { ...query, take: 200 } } })),
  });
  const all = groups.data?.data ?? [];
  const shown = all.find(({ id }) => id === group) ?? all[0];
  return (
    <>
      <PageHeader
        title="Entitlement grid"
        about="Features in rows, the plans of a group in columns. Open a cell to add, change or remove."
        above={{ title: 'Catalogue', path: '/catalogue' }}
      />
      {groups.isPending && <Loader aria-label="Loading plan groups" />}
      {groups.isError && <ProblemPanel error={groups.error} retry={() => void groups.refetch()} />}
      {groups.isSuccess && shown === undefined && (
        <EmptyState title="There are no plan groups yet">
          Make a group, a plan in it and a feature in the catalogue first.
        </EmptyState>
      )}
      {shown !== undefined && (
        <Stack>
          <Select
            label="Plan group"
            maw={360}
            allowDeselect={false}
            data={all.map(({ id, name }) => ({ value: id, label: name }))}
            value={shown.id}
            onChange={(id) =>
              void navigate({ to: '.', search: id === null ? {} : { group: id }, replace: true })
            }
          />
          <EntitlementGrid group={shown} />
        </Stack>
      )}
    </>
  );
}
