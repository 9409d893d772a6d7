import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { PageHeader } from '../../ui/PageHeader';
import { ReceivedWebhooks } from './ReceivedWebhooks';
import { WebhookFailures } from './WebhookFailures';

/** Webhooks from the payment providers, and those that failed. */
export function WebhooksPage() {
  const { tab = 'received' } = useSearch({ from: '/signed-in/o/$organization/$environment/webhooks' });
  const navigate = useNavigate();
  return (
    <>
      <PageHeader
        title="Webhooks"
        about="What payment providers sent, what it changed, and what failed and why."
      />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => void navigate({ to: '.', search: { tab: value ?? 'received' }, replace: true })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="received">Received</Tabs.Tab>
          <Tabs.Tab value="failures">Failures</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="received">
          <ReceivedWebhooks />
        </Tabs.Panel>
        <Tabs.Panel value="failures">
          <WebhookFailures />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
