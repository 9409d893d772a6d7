import { Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useWorkspace } from '../../app/workspace';
import { planGroupChoices } from '../../ui/catalogue-choices';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { SearchSelect } from '../../ui/SearchSelect';
import { EntitlementGrid } from './EntitlementGrid';
import { Loading } from '../../ui/Loading';

/** Shows what each plan of a group includes of each feature, side by side. The address names the group. */
export function EntitlementGridPage() {
  const { query } = useWorkspace();
  const { group } = useSearch({ from: '/signed-in/o/$organization/$environment/catalogue/grid' });
  const navigate = useNavigate();
  const choices = planGroupChoices(query);
  const {
    data: shown,
    isPending,
    error,
    refetch,
  } = useQuery({
    queryKey: ['plan-groups', query, 'grid', group],
    queryFn: async () => {
      const named = group === undefined ? undefined : await choices.read(group);
      return named ?? (await choices.find(undefined))[0] ?? null;
    },
    // Keeps the field in which another group was chosen.
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader
        title="Entitlement grid"
        about="Features in rows, the plans of a group in columns. Open a cell to add, change or remove."
        above={{ title: 'Catalogue', path: '/catalogue' }}
      />
      {isPending && <Loading label="Loading plan groups" />}
      {error !== null && <ProblemPanel error={error} retry={() => void refetch()} />}
      {shown === null && (
        <EmptyState title="There are no plan groups yet">
          Create a group, a plan in it and a feature in the catalogue first.
        </EmptyState>
      )}
      {shown && (
        <Stack>
          <SearchSelect
            label="Plan group"
            maw={360}
            allowDeselect={false}
            choices={choices}
            nothingFoundMessage="There is no such plan group."
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
