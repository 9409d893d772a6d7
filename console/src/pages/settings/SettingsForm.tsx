import { Group, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import type { components } from '../../api/schema';
import { useTypedForm } from '../../app/open-forms';
import { useRefusal } from '../../app/roles';
import { useWorkspace } from '../../app/workspace';
import { changesToSend } from '../../ui/merge-lists';
import { showSaved } from '../../ui/show-saved';
import { useFresh } from '../../ui/use-fresh';
import { fieldErrors } from '../../ui/field-errors';
import { currencyProblem } from '../../ui/money';
import { NumberField } from '../../ui/NumberField';
import { Panel } from '../../ui/Panel';
import { listError, PercentsInput, percentsProblem } from '../../ui/PercentsInput';
import { Form } from '../../ui/Form';
import { FormFields } from '../../ui/FormFields';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { ReasonedButton } from '../../ui/ReasonedButton';
import { numberProblem, type TypedNumber } from '../../ui/typed-number';
import { PROVIDERS } from '../../../../src/domain/provider.ts';
import { providerName } from '../../ui/providers';
import { zoneProblem } from '../../ui/zone';

type Settings = components['schemas']['WorkspaceSettings'];

const COUNTS = [
  'pastDueAfterDays',
  'graceDays',
  'expireAfterDays',
  'approvalDays',
  'keyRequestsPerSecond',
  'keyConcurrentRequests',
  'usageReportedDays',
  'usageGraceMinutes',
] as const;
type Count = (typeof COUNTS)[number];

function valuesOf(settings: Settings) {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, settings[name]])) as Record<
    Count,
    TypedNumber
  >;
  return {
    defaultCurrency: settings.defaultCurrency,
    timeZone: settings.timeZone,
    taxBehavior: settings.taxBehavior,
    defaultProvider: settings.defaultProvider,
    returnOrigins: settings.returnOrigins,
    usageAlertPercents: settings.usageAlertPercents.map(String),
    creditsLowPercent: (settings.creditsLowPercent ?? '') as TypedNumber,
    ...counts,
  };
}

type Values = ReturnType<typeof valuesOf>;

/**
 * Converts the form for the API: percentages are typed as text, an empty one for credits is null, and a currency may be
 * typed in small letters.
 */
function toBody({ defaultCurrency, usageAlertPercents, creditsLowPercent, ...values }: Values) {
  const counts = Object.fromEntries(COUNTS.map((name) => [name, Number(values[name])])) as Record<
    Count,
    number
  >;
  return {
    ...values,
    ...counts,
    defaultCurrency: defaultCurrency.toUpperCase(),
    usageAlertPercents: usageAlertPercents.map(Number),
    creditsLowPercent: creditsLowPercent === '' ? null : Number(creditsLowPercent),
  };
}

/** The settings that most workspaces change. Tax rates and the invoice profile are set by the API. */
export function SettingsForm({ settings }: { settings: Settings }) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const refusal = useRefusal('admin');
  const form = useForm({
    initialValues: valuesOf(settings),
    validate: {
      // A browser may know fewer time zones than the service, where the stored one was accepted.
      timeZone: (value) => (value === settings.timeZone ? null : zoneProblem(value)),
      defaultCurrency: (value) => currencyProblem(value.toUpperCase()),
      ...Object.fromEntries(
        COUNTS.map((name) => [name, (value: TypedNumber) => numberProblem(value, { whole: true })]),
      ),
      usageAlertPercents: percentsProblem,
      creditsLowPercent: (value) => numberProblem(value, { whole: true, optional: true }),
    },
  });
  useFresh(form, valuesOf(settings));
  useTypedForm(form.isDirty());
  const save = useMutation({
    mutationFn: async (values: Values) => {
      const params = { query };
      const body = await changesToSend(toBody(form.getInitialValues()), toBody(values), async () =>
        toBody(valuesOf(await bodyOf(api.GET('/api/billing/settings', { params })))),
      );
      return bodyOf(api.PATCH('/api/billing/settings', { params, body }));
    },
    onSuccess: async (saved, sent) => {
      notifications.show({ message: 'The settings are saved.' });
      showSaved(form, sent, valuesOf(saved));
      await invalidate(queries, [['settings'], ['audit']]);
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const count = (label: string, name: Count | 'creditsLowPercent', description: string) => (
    <NumberField label={label} description={description} {...form.getInputProps(name)} />
  );
  return (
    <Panel title="Billing">
      <Form
        form={form}
        onSubmit={(values) => {
          if (refusal === null) save.mutate(values);
        }}
        refused={save.error}
      >
        <Stack>
          <FormFields refusal={refusal}>
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
              {count('Past due after, days', 'pastDueAfterDays', 'Unpaid that long.')}
              {count('Grace, days', 'graceDays', 'With access while past due.')}
              {count('Expires after, days', 'expireAfterDays', 'Past due that long.')}
              {count('Approval, days', 'approvalDays', 'For customers of provider B.')}
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
              {count('Requests a second', 'keyRequestsPerSecond', 'Of each API key.')}
              {count('Requests under way', 'keyConcurrentRequests', 'Of each API key, at once.')}
              {count('Days a use is reported late', 'usageReportedDays', 'Older usage is refused.')}
              {count(
                'Minutes a usage period stays open',
                'usageGraceMinutes',
                'After its end; later uses are marked late.',
              )}
            </SimpleGrid>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <PercentsInput
                label="Alerts at, % of a quota"
                description="Each is sent once per usage period. None: no alerts."
                field={form.getInputProps('usageAlertPercents')}
                error={listError(form, 'usageAlertPercents')}
              />
              {count(
                'Credits are low at, %',
                'creditsLowPercent',
                'Of the credits granted, or less. Empty: no alert.',
              )}
            </SimpleGrid>
            <TagsInput
              label="Where checkouts may return to"
              description="Origins such as https://app.example.com. None: any in a sandbox, none in production."
              {...form.getInputProps('returnOrigins')}
              error={listError(form, 'returnOrigins')}
            />
          </FormFields>
          {save.isError && <ProblemPanel error={save.error} />}
          <Group>
            <ReasonedButton type="submit" reason={refusal} loading={save.isPending}>
              Save settings
            </ReasonedButton>
          </Group>
        </Stack>
      </Form>
    </Panel>
  );
}
