import { Button, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import type { Plan } from '../../api/resources';
import { useWorkspace } from '../../app/workspace';
import { isolate } from '../../ui/isolate';
import { formatMoney } from '../../ui/money';
import type { ConnectionForm } from './connection-form';
import { PROVIDER_FIELDS } from './provider-fields';

/** What each plan of the catalogue is called at the provider. */
export function PlanReferences({ form }: { form: ConnectionForm }) {
  const { query } = useWorkspace();
  const { data: plans } = useQuery({
    queryKey: ['plans', query, 'choice'],
    queryFn: () => bodyOf(api.GET('/api/plans', { params: { query: { ...query, take: 200 } } })),
  });
  const { references, provider } = form.getValues();
  const { label, example } = PROVIDER_FIELDS[provider].planReference;
  return (
    <Fieldset legend="Plan references">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          A plan without one here is sold by its own reference in the catalogue, if it has one.
        </Text>
        {references.map(({ plan }, index) => (
          <Group key={index} align="flex-start" gap="xs">
            <Select
              aria-label={`Plan ${index + 1}`}
              placeholder="Plan"
              searchable
              flex="1 1 200px"
              nothingFoundMessage="No plan of this name."
              data={choicesOf(plans?.data ?? [], plan)}
              {...form.getInputProps(`references.${index}.plan`)}
            />
            <TextInput
              aria-label={`${label} of plan ${index + 1}`}
              placeholder={example}
              spellCheck={false}
              flex="1 1 160px"
              {...form.getInputProps(`references.${index}.reference`)}
            />
            <Button
              variant="default"
              aria-label={`Remove plan ${index + 1}`}
              onClick={() => form.removeListItem('references', index)}
            >
              Remove
            </Button>
          </Group>
        ))}
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => form.insertListItem('references', { plan: '', reference: '' })}
        >
          Add a plan
        </Button>
      </Stack>
    </Fieldset>
  );
}

/** The plans on sale by their slugs, and the one that the row names, be it by its id, archived or gone. */
function choicesOf(plans: Plan[], named: string): { value: string; label: string }[] {
  const choices = plans
    .filter(({ id, slug, archivedAt }) => archivedAt === null || named === id || named === slug)
    .map(({ id, slug, name, price, interval }) => ({
      value: named === id ? id : slug,
      label: `${isolate(name)} (${slug}), ${formatMoney(price)}/${interval}`,
    }));
  const isKnown = named === '' || choices.some(({ value }) => value === named);
  return isKnown ? choices : [...choices, { value: named, label: named }];
}
