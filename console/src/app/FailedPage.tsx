import { Container } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { ProblemPanel } from '../ui/ProblemPanel';

/** Shown in place of a page that failed. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Container size="sm" py="xl">
      <ProblemPanel error={error} retry={retry} />
    </Container>
  );
}
