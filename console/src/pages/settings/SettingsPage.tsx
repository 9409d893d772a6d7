import { Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { PageHeader } from '../../ui/PageHeader';
import { AuditRecords } from './AuditRecords';
import { PortalForm } from './PortalForm';
import { SettingsForm } from './SettingsForm';

/** How the environment bills, and who has changed what. */
export function SettingsPage() {
  const { env, query } = useWorkspace();
  const { data: settings } = useSuspenseQuery({
    queryKey: ['settings', query],
    queryFn: () => bodyOf(api.GET('/api/billing/settings', { params: { query } })),
  });
  // Of another environment nothing is kept that was typed in this one.
  const workspaceKey = `${query.organizationId} ${env}`;
  const { data: portal } = useSuspenseQuery({
    queryKey: ['portal-settings', query],
    queryFn: () => bodyOf(api.GET('/api/billing/portal', { params: { query } })),
  });
  return (
    <>
      <PageHeader
        title="Settings"
        about={`Of the ${env} alone. Running periods keep what they began with.`}
      />
      <Stack>
        <SettingsForm key={workspaceKey} settings={settings} />
        <PortalForm key={workspaceKey} portal={portal} />
        <AuditRecords />
      </Stack>
    </>
  );
}
