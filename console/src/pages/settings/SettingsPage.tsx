import { Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { environmentInWords } from '../../../../src/domain/environment.ts';
import { useWorkspace } from '../../app/workspace';
import { PageHeader } from '../../ui/PageHeader';
import { AuditRecords } from './AuditRecords';
import { OrganizationForm } from './OrganizationForm';
import { PortalForm } from './PortalForm';
import { SettingsForm } from './SettingsForm';

/** Settings of the environment (billing and the customer's page), the organization's name, and the audit records. */
export function SettingsPage() {
  const { env, query } = useWorkspace();
  const { data: settings } = useSuspenseQuery({
    queryKey: ['settings', query],
    queryFn: () => bodyOf(api.GET('/api/billing/settings', { params: { query } })),
  });
  const { data: portal } = useSuspenseQuery({
    queryKey: ['portal-settings', query],
    queryFn: () => bodyOf(api.GET('/api/billing/portal', { params: { query } })),
  });
  return (
    <>
      <PageHeader
        title="Settings"
        about={`Only of ${environmentInWords(env)}, except for the organization’s name. Running periods keep the settings that they began with.`}
      />
      <Stack>
        <SettingsForm settings={settings} />
        <PortalForm portal={portal} />
        <OrganizationForm />
        <AuditRecords />
      </Stack>
    </>
  );
}
