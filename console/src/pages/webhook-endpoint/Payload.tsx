import { ScrollArea, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { countInWords } from '../../../../src/domain/count-in-words.ts';
import { api, bodyOf } from '../../api/client';
import { useWorkspace } from '../../app/workspace';
import { ProblemPanel } from '../../ui/ProblemPanel';
import { shortened } from './shortened';
import { Loading } from '../../ui/Loading';

/** The posted payload of a message: the same for each endpoint and each attempt. */
export function Payload({ messageId }: { messageId: string }) {
  const { query } = useWorkspace();
  const message = useQuery({
    queryKey: ['webhook-message', query, messageId],
    queryFn: () =>
      bodyOf(api.GET('/api/webhook-messages/{id}', { params: { query, path: { id: messageId } } })),
    retry: false,
  });
  const text = message.data === undefined ? null : shortened(JSON.stringify(message.data.payload, null, 2));
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        Payload
      </Title>
      {message.isPending && <Loading label="Loading the payload" size="sm" />}
      {message.isError && <ProblemPanel error={message.error} retry={() => void message.refetch()} />}
      {text !== null && (
        <ScrollArea.Autosize mah={260} type="auto">
          <Text
            component="pre"
            size="xs"
            m={0}
            tabIndex={0}
            aria-label="The payload"
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          >
            <bdi>{text.shown}</bdi>
          </Text>
        </ScrollArea.Autosize>
      )}
      {text !== null && text.left > 0 && (
        <Text size="xs" c="dimmed">
          {countInWords(text.left, 'more character', text.left.toLocaleString())}{' '}
          {text.left === 1 ? 'is' : 'are'} not shown: read the message by the API.
        </Text>
      )}
    </Stack>
  );
}
