import { Loader, type LoaderProps } from '@mantine/core';

/**
 * Shown while something is loading. The library's spinner has no role, and a screen reader does not read the label of
 * an element without one.
 */
export function Loading({ label, ...loader }: LoaderProps & { label: string }) {
  return <Loader role="progressbar" aria-label={label} {...loader} />;
}
