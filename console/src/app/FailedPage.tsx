import { Container } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { problemOf } from '../api/problem';
import { ProblemPanel } from '../ui/ProblemPanel';
import { useFocusOnPage } from '../ui/use-focus-on-page';

/** Shown in place of a page that failed, such as that of an object that does not exist. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { title } = problemOf(error);
  useFocusOnPage();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Container size="sm" py="xl">
      <title>{`${title} · Tollgate`}</title>
      <ProblemPanel error={error} retry={retry} isPage />
    </Container>
  );
}
