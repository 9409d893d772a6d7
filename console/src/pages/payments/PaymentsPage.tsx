import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { OnlyRecord } from '../../ui/OnlyRecord';
import { PageHeader } from '../../ui/PageHeader';
import { Checkouts } from './Checkouts';
import { CustomerFilter, useCustomerFilter } from './CustomerFilter';
import { Payments } from './Payments';
import { Refunds } from './Refunds';
import { Settlements } from './Settlements';
import { Transactions } from './Transactions';

/** Money: charges, payments, refunds and payouts. */
export function PaymentsPage() {
  const { tab = 'payments' } = useSearch({ from: '/signed-in/o/$organization/$environment/payments' });
  const customer = useCustomerFilter();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title="Payments" about="What was charged, paid, refunded, and paid out to you." />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) =>
          void navigate({ to: '.', search: { tab: value ?? 'payments', ...customer }, replace: true })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="payments">Payments</Tabs.Tab>
          <Tabs.Tab value="transactions">Transactions</Tabs.Tab>
          <Tabs.Tab value="refunds">Refunds</Tabs.Tab>
          <Tabs.Tab value="settlements">Settlements</Tabs.Tab>
          <Tabs.Tab value="checkouts">Checkouts</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="payments">
          <OnlyRecord />
          <CustomerFilter />
          <Payments />
        </Tabs.Panel>
        <Tabs.Panel value="transactions">
          <OnlyRecord />
          <CustomerFilter />
          <Transactions />
        </Tabs.Panel>
        <Tabs.Panel value="refunds">
          <OnlyRecord />
          <CustomerFilter />
          <Refunds />
        </Tabs.Panel>
        <Tabs.Panel value="settlements">
          <OnlyRecord />
          <Settlements />
        </Tabs.Panel>
        <Tabs.Panel value="checkouts">
          <OnlyRecord />
          <CustomerFilter />
          <Checkouts />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
