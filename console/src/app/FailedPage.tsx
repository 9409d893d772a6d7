import { Container } from '@mantine/core';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffectEvent, useLayoutEffect } from 'react';
import { isOutcomeUnknown, problemOf } from '../api/problem';
import { ProblemPanel } from '../ui/ProblemPanel';
import { useFocusOnPage } from '../ui/use-focus-on-page';

/**
 * Shown in place of a page that failed, such as that of an object that does not exist. One that could not be loaded is
 * loaded again when the connection returns.
 */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const { title } = problemOf(error);
  useFocusOnPage();
  const retry = () => {
    reset();
    void router.invalidate();
  };
  const retryOnReconnect = useEffectEvent(() => {
    if (isOutcomeUnknown(error)) retry();
  });
  // In the layout effect, so that it listens once the failure is shown.
  useLayoutEffect(() => {
    const onOnline = () => retryOnReconnect();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, []);
  return (
    <Container size="sm" py="xl">
      <title>{`${title} · Tollgate`}</title>
      <ProblemPanel error={error} retry={retry} isPage />
    </Container>
  );
}
