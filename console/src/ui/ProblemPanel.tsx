import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { problemOf } from '../api/problem';
import { inSentences } from './field-errors';
import { Id } from './Id';

interface ProblemPanelProps {
  error: unknown;
  /** Offers a retry. */
  retry?: () => void;
}

/** A failure: what happened, what to do, and the request's id. */
export function ProblemPanel({ error, retry }: ProblemPanelProps) {
  const { title, detail, fix, code, requestId, errors } = problemOf(error);
  return (
    <Alert color="red" title={title} role="alert" variant="light">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{detail}</Text>
        <Text size="sm" fw={600}>
          {fix}
        </Text>
        {errors?.map((wrong) => (
          <Text size="sm" key={`${wrong.pointer} ${wrong.message}`}>
            <Code>{wrong.pointer}</Code> {inSentences(wrong)}
          </Text>
        ))}
        <Group gap="xs">
          <Code>{code}</Code>
          {requestId !== '' && <Id value={requestId} />}
        </Group>
        {retry !== undefined && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
