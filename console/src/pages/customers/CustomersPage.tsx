import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { EmptyState } from '../../ui/EmptyState';
import { PagedTable } from '../../ui/PagedTable';
import { PageHeader } from '../../ui/PageHeader';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { Time } from '../../ui/Time';
import { WordFilter } from '../../ui/WordFilter';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { CreateCustomer } from './CreateCustomer';

/** The customers of the environment. */
export function CustomersPage() {
  const { query } = useWorkspace();
  const { search } = useSearch({ from: '/signed-in/o/$organization/$environment/customers' });
  const navigate = useNavigate();
  const [isCreating, { open, close }] = useDisclosure(false);
  const refusal = useRefusal('developer');
  const find = (text: string) => {
    void navigate({ to: '.', search: text === '' ? {} : { search: text }, replace: true });
  };
  return (
    <>
      <PageHeader
        title="Customers"
        about="Usage calls name a customer by its external id, which is yours."
        actions={
          <ReasonedButton size="xs" reason={refusal} onClick={open}>
            New customer
          </ReasonedButton>
        }
      />
      <WordFilter
        aria-label="Search customers"
        placeholder="External id, name or email"
        word={search ?? ''}
        onFind={find}
        maw={360}
        mb="md"
      />
      <PagedTable
        label="Customers"
        queryKey={['customers', query, search ?? '']}
        load={(cursor) =>
          bodyOf(
            api.GET('/api/customers', {
              params: { query: { ...query, ...(search && { search }), ...(cursor && { cursor }) } },
            }),
          )
        }
        rowKey={({ id }) => id}
        columns={[
          {
            title: 'External id',
            cell: ({ id, externalId }) => (
              <WorkspaceLink path={`/customers/${id}`}>
                <bdi>{externalId}</bdi>
              </WorkspaceLink>
            ),
          },
          { title: 'Name', cell: ({ name }) => <bdi>{name ?? '–'}</bdi> },
          { title: 'Email', cell: ({ email }) => <bdi>{email ?? '–'}</bdi> },
          { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          search === undefined ? (
            <EmptyState
              title="There are no customers yet"
              action={
                <ReasonedButton mt="sm" align="center" reason={refusal} onClick={open}>
                  New customer
                </ReasonedButton>
              }
            >
              Create one here, or let your application create each with its secret key when it signs up.
            </EmptyState>
          ) : (
            <EmptyState title="Nobody is found">
              The search compares the beginning of the external id as it is written, and of name and email.
            </EmptyState>
          )
        }
      />
      {isCreating && <CreateCustomer onClose={close} />}
    </>
  );
}
