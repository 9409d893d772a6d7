import { Group, NumberInput, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { components } from '../../api/schema';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { fieldErrors } from '../../ui/field-errors';
import { Panel } from '../../ui/Panel';
import { listError, PercentsInput } from '../../ui/PercentsInput';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { PROVIDERS } from '../subscriptions/filters';
import { providerName } from '../subscriptions/provider-name';

type Settings = components['schemas']['WorkspaceSettings'];

/** As the API takes them: percents are typed as text, and no percent of credits is null. */
function toBody<Values extends { usageAlertPercents: string[]; creditsLowPercent: number | string }>({
  usageAlertPercents,
  creditsLowPercent,
  ...values
}: Values) {
  return {
    ...values,
    usageAlertPercents: usageAlertPercents.map(Number),
    creditsLowPercent: creditsLowPercent === '' ? null : Number(creditsLowPercent),
  };
}

/** The settings that most workspaces change; tax rates and the invoice profile are set by the API. */
export function SettingsForm({ settings }: { settings: Settings }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useRefusal('admin');
  const form = useForm({
    initialValues: {
      defaultCurrency: settings.defaultCurrency,
      timeZone: settings.timeZone,
      taxBehavior: settings.taxBehavior,
      defaultProvider: settings.defaultProvider,
      pastDueAfterDays: settings.pastDueAfterDays,
      graceDays: settings.graceDays,
      expireAfterDays: settings.expireAfterDays,
      approvalDays: settings.approvalDays,
      returnOrigins: settings.returnOrigins,
      keyRequestsPerSecond: settings.keyRequestsPerSecond,
      keyConcurrentRequests: settings.keyConcurrentRequests,
      usageReportedDays: settings.usageReportedDays,
      usageGraceMinutes: settings.usageGraceMinutes,
      usageAlertPercents: settings.usageAlertPercents.map(String),
      creditsLowPercent: settings.creditsLowPercent ?? '',
    },
  });
  const save = useMutation({
    mutationFn: (values: typeof form.values) =>
      bodyOf(api.PATCH('/api/billing/settings', { params: { query }, body: toBody(values) })),
    onSuccess: async () => {
      notifications.show({ message: 'The settings are saved.' });
      await queries.invalidateQueries({ queryKey: ['settings'] });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const count = (label: string, name: keyof typeof form.values, description: string, min = 1) => (
    <NumberInput
      label={label}
      description={description}
      min={min}
      allowDecimal={false}
      {...form.getInputProps(name)}
    />
  );
  return (
    <Panel title="Billing">
      <form
        onSubmit={form.onSubmit((values) => {
          if (refusal === null) save.mutate(values);
        })}
        noValidate
      >
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
            <TextInput label="Default currency" maxLength={3} {...form.getInputProps('defaultCurrency')} />
            <TextInput label="Time zone" {...form.getInputProps('timeZone')} />
            <Select
              label="Tax"
              allowDeselect={false}
              data={[
                { value: 'none', label: 'None' },
                { value: 'exclusive', label: 'On top of prices' },
                { value: 'inclusive', label: 'Contained in prices' },
              ]}
              {...form.getInputProps('taxBehavior')}
            />
            <Select
              label="Payment provider"
              allowDeselect={false}
              data={PROVIDERS.map((value) => ({ value, label: providerName(value) }))}
              {...form.getInputProps('defaultProvider')}
            />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
            {count('Past due after, days', 'pastDueAfterDays', 'Unpaid that long.', 0)}
            {count('Grace, days', 'graceDays', 'With access while past due.', 0)}
            {count('Expires after, days', 'expireAfterDays', 'Past due that long.', 0)}
            {count('Approval, days', 'approvalDays', 'For customers of provider B.', 0)}
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
            {count('Requests a second', 'keyRequestsPerSecond', 'Of each API key.')}
            {count('Requests under way', 'keyConcurrentRequests', 'Of each API key, at once.')}
            {count(
              'Days a use is reported late',
              'usageReportedDays',
              'Uses that lie further back are refused.',
              0,
            )}
            {count(
              'Minutes a usage period stays open',
              'usageGraceMinutes',
              'After its end; later uses are marked late.',
              0,
            )}
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <PercentsInput
              label="Alerts at, % of a quota"
              description="Each is notified once in a usage period. None: no alerts."
              field={form.getInputProps('usageAlertPercents')}
              error={listError(form, 'usageAlertPercents')}
            />
            {count(
              'Credits are low at, %',
              'creditsLowPercent',
              'Of those granted, or less. Empty: no alert.',
            )}
          </SimpleGrid>
          <TagsInput
            label="Where checkouts may return to"
            description="Origins such as https://app.example.com. None: any in a sandbox, none in production."
            {...form.getInputProps('returnOrigins')}
            error={listError(form, 'returnOrigins')}
          />
          {save.isError && <ProblemPanel error={save.error} />}
          <Group>
            <ReasonedButton type="submit" reason={refusal} loading={save.isPending}>
              Save settings
            </ReasonedButton>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
