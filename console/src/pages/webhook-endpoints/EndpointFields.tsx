import { Anchor, Checkbox, Radio, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { config } from '../../api/config';
import { useWorkspace } from '../../app/workspace';
import type { EndpointForm } from './endpoint-form';
import { TYPE_GROUPS } from './webhook-types';

/** Fields of an endpoint: its address, and what it subscribes to. */
export function EndpointFields({ form }: { form: EndpointForm }) {
  const { env } = useWorkspace();
  return (
    <>
      <TextInput
        label="Address"
        description={
          env === 'production'
            ? 'Messages are posted to it. https, and public.'
            : 'Messages are posted to it. http or https, and public.'
        }
        placeholder="https://app.example.com/webhooks"
        inputMode="url"
        withAsterisk
        data-autofocus
        {...form.getInputProps('url')}
      />
      <TextInput
        label="Description"
        description="The receiver, for the list."
        maxLength={500}
        {...form.getInputProps('description')}
      />
      <Radio.Group label="What is sent" {...form.getInputProps('takes')}>
        <Stack gap="xs" mt="xs">
          <Radio value="all" label="All types" description="Also those that later versions add." />
          <Radio value="chosen" label="Chosen types" />
        </Stack>
      </Radio.Group>
      {form.values.takes === 'chosen' && <ChosenTypes form={form} />}
    </>
  );
}

function ChosenTypes({ form }: { form: EndpointForm }) {
  const { env } = useWorkspace();
  return (
    <Checkbox.Group
      label="Types"
      description={
        <>
          <Anchor href={`${config.apiUrls[env]}/docs/webhooks`} inherit>
            The catalogue
          </Anchor>{' '}
          has an example of each.
        </>
      }
      {...form.getInputProps('types')}
    >
      <ScrollArea.Autosize
        mah={320}
        type="auto"
        mt="xs"
        viewportProps={{ tabIndex: 0, 'aria-label': 'Types' }}
      >
        <Stack gap="md" p={4}>
          {TYPE_GROUPS.map(({ title, types }) => (
            <Stack key={title} gap={6} role="group" aria-label={title}>
              <Text size="sm" fw={600}>
                {title}
              </Text>
              {types.map(({ type, when }) => (
                <Checkbox key={type} value={type} label={type} description={when} />
              ))}
            </Stack>
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Checkbox.Group>
  );
}
