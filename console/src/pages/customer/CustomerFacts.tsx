import { useDisclosure } from '@mantine/hooks';
import type { Customer } from '../../api/resources';
import { useRefusal } from '../../app/roles';
import { toSearchWord } from '../../app/search-params';
import { Facts } from '../../ui/Facts';
import { Id } from '../../ui/Id';
import { Panel } from '../../ui/Panel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { Time } from '../../ui/Time';
import { WorkspaceLink } from '../../ui/WorkspaceLink';
import { countryIn } from '../customers/country';
import { EditCustomer } from './EditCustomer';

/** Details of a customer, with their editor. */
export function CustomerFacts({ customer }: { customer: Customer }) {
  const refusal = useRefusal('developer');
  const [isEditing, { open, close }] = useDisclosure(false);
  return (
    <Panel
      title="Customer"
      actions={
        <ReasonedButton
          size="xs"
          variant="default"
          reason={customer.erasureId === null ? refusal : 'The customer was erased.'}
          onClick={open}
        >
          Edit customer
        </ReasonedButton>
      }
    >
      <Facts
        facts={[
          ['Id', <Id key="id" value={customer.id} />],
          ['External id', <bdi key="external">{customer.externalId}</bdi>],
          ['Name', <bdi key="name">{customer.name ?? '–'}</bdi>],
          ['Email', <bdi key="email">{customer.email ?? '–'}</bdi>],
          ['Country', <bdi key="country">{countryIn(customer.metadata) || '–'}</bdi>],
          [
            'Money',
            <WorkspaceLink key="money" path={`/payments?externalId=${toSearchWord(customer.externalId)}`}>
              Payments and refunds
            </WorkspaceLink>,
          ],
          ['Created', <Time key="created" at={customer.createdAt} />],
        ]}
      />
      {isEditing && <EditCustomer customer={customer} onClose={close} />}
    </Panel>
  );
}
