import { Group, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { clockQuery } from '../../app/clock-query';
import { useRefusal } from '../../app/roles';
import { setParams } from '../../app/search-params';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { Loading } from '../../ui/Loading';
import { NoneLikeThis } from '../../ui/NoneLikeThis';
import { PagedTable } from '../../ui/PagedTable';
import { PageHeader } from '../../ui/PageHeader';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { PROVIDERS } from '../../../../src/domain/provider.ts';
import { SUBSCRIPTION_STATUSES } from '../../../../src/domain/subscription-types.ts';
import { providerName } from '../../ui/providers';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { WordFilter } from '../../ui/WordFilter';
import { CreateSubscription } from './CreateSubscription';
import { AWAITED, keysOf, readFilters, RENEWS, type SubscriptionFilters } from './filters';
import { renewalWindow } from './renewal-window';
import { subscriptionColumns } from './subscription-columns';

/** The subscriptions: which customer has which plan until when. */
export function SubscriptionsPage() {
  const { query } = useWorkspace();
  const filters = readFilters(useSearch({ strict: false }));
  const { renews, ...words } = filters;
  const clock = useQuery({ ...clockQuery(query), enabled: renews !== undefined });
  const window = renews === undefined ? {} : clock.data && renewalWindow(RENEWS[renews].days, clock.data.now);
  const navigate = useNavigate();
  const [isCreating, { open, close }] = useDisclosure(false);
  const refusal = useRefusal('developer');
  const set = (change: Partial<SubscriptionFilters>) => {
    void navigate({ to: '.', search: setParams({ ...filters, ...change }), replace: true });
  };
  return (
    <>
      <PageHeader
        title="Subscriptions"
        about="Each is one long-lived workflow, which renews, changes and ends it."
        actions={
          <ReasonedButton size="xs" reason={refusal} onClick={open}>
            New subscription
          </ReasonedButton>
        }
      />
      <Group mb="md" gap="sm">
        <WordFilter
          w={190}
          aria-label="External id of the customer"
          placeholder="External id, whole"
          word={filters.externalId ?? ''}
          onFind={(text) => set({ externalId: text === '' ? undefined : text })}
        />
        <Select
          w={190}
          aria-label="Status"
          placeholder="Any status"
          clearable
          data={SUBSCRIPTION_STATUSES.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
          value={filters.status ?? null}
          onChange={(status) => set({ status: status ?? undefined })}
        />
        <Select
          w={230}
          aria-label="Provider"
          placeholder="Any provider"
          clearable
          data={PROVIDERS.map((value) => ({ value, label: providerName(value) }))}
          value={filters.provider ?? null}
          onChange={(provider) => set({ provider: provider ?? undefined })}
        />
        <Select
          w={310}
          maw="100%"
          aria-label="Awaits"
          placeholder="Awaits anything"
          clearable
          data={keysOf(AWAITED).map((value) => ({ value, label: `awaits ${AWAITED[value]}` }))}
          value={filters.awaiting ?? null}
          onChange={(awaiting) => set({ awaiting: awaiting ?? undefined })}
        />
        <Select
          w={220}
          maw="100%"
          aria-label="Preparation"
          placeholder="Prepared or not"
          clearable
          data={[{ value: 'failed', label: 'could not be prepared' }]}
          value={filters.preparation ?? null}
          onChange={(preparation) => set({ preparation: preparation ?? undefined })}
        />
        <Select
          w={230}
          maw="100%"
          aria-label="Differs"
          placeholder="Differs or not"
          clearable
          data={[{ value: 'found', label: 'differs from its provider' }]}
          value={filters.drift ?? null}
          onChange={(drift) => set({ drift: drift ?? undefined })}
        />
        <Select
          w={290}
          maw="100%"
          aria-label="Renews or ends"
          placeholder="Renews at any time"
          clearable
          data={keysOf(RENEWS).map((value) => ({ value, label: `renews or ends ${RENEWS[value].words}` }))}
          value={renews ?? null}
          onChange={(within) => set({ renews: within ?? undefined })}
        />
      </Group>
      {clock.isError && <ProblemPanel error={clock.error} retry={() => void clock.refetch()} />}
      {clock.isLoading && <Loading label="Loading the environment’s time" />}
      {window !== undefined && (
        <PagedTable
          label="Subscriptions"
          queryKey={['subscriptions', query, words, window]}
          load={(cursor) =>
            bodyOf(
              api.GET('/api/billing/subscriptions', {
                params: { query: { ...query, ...words, ...window, ...(cursor && { cursor }) } },
              }),
            )
          }
          rowKey={({ id }) => id}
          columns={subscriptionColumns}
          empty={
            Object.keys(filters).length === 0 ? (
              <EmptyState title="There are no subscriptions yet">
                A checkout creates one for a customer and a plan: through a payment provider, or with local
                billing.
              </EmptyState>
            ) : (
              <NoneLikeThis />
            )
          }
        />
      )}
      {isCreating && <CreateSubscription onClose={close} />}
    </>
  );
}
