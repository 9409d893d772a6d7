import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { problemOf } from '../api/problem';
import { ApiText } from './ApiText';
import { inSentences } from './field-errors';
import { Id } from './Id';

interface ProblemPanelProps {
  error: unknown;
  /** Offers a retry. */
  retry?: () => void;
  /** Whether it is the whole page, so that its title is the page's heading. */
  isPage?: boolean;
}

/** For input that the API refuses: its own words are about members of the request, and repeat the first error. */
const INVALID = {
  title: 'What was sent is not valid',
  detail: null,
  fix: 'Correct what is listed here, and send it again.',
};

/** A failure: what happened, what to do, and the request's id. */
export function ProblemPanel({ error, retry, isPage = false }: ProblemPanelProps) {
  const problem = problemOf(error);
  const { code, requestId, errors = [] } = problem;
  const { title, detail, fix } = code === 'validation_failed' && errors.length > 0 ? INVALID : problem;
  return (
    <Alert color="red" title={isPage ? <Heading>{title}</Heading> : title} role="alert" variant="light">
      <Stack gap="xs" align="flex-start">
        {detail !== null && detail !== title && (
          <Text size="sm">
            <ApiText text={detail} />
          </Text>
        )}
        <Text size="sm" fw={600}>
          <ApiText text={fix} />
        </Text>
        {errors.map((wrong) => (
          <Text size="sm" key={`${wrong.pointer} ${wrong.message}`}>
            <Code>{wrong.pointer}</Code> <ApiText text={inSentences(wrong)} />
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

function Heading({ children }: { children: string }) {
  return (
    <Text component="h1" inherit m={0}>
      {children}
    </Text>
  );
}
