import { Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { useWorkspace } from '../../app/workspace';
import { planNameChoices } from '../../ui/catalogue-choices';
import { SearchSelect } from '../../ui/SearchSelect';
import type { ConnectionForm } from './connection-form';
import { PROVIDER_FIELDS } from './provider-fields';

/** The provider's reference of each plan in the catalogue. */
export function PlanReferences({ form }: { form: ConnectionForm }) {
  const { query } = useWorkspace();
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
            <SearchSelect
              aria-label={`Plan ${index + 1}`}
              placeholder="Plan"
              allowDeselect={false}
              flex="1 1 200px"
              nothingFoundMessage="No plan of this name."
              choices={planNameChoices(query, plan)}
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
