import { Select } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { wordOf } from '../app/search-params';

/** Returns the status by which a list is filtered; undefined if none. It is kept in the address. */
export function useStatus<Status extends string>(statuses: readonly Status[]): Status | undefined {
  const status = wordOf(useSearch({ strict: false }), 'status');
  return statuses.find((known) => known === status);
}

interface StatusFilterProps {
  /** Label, for screen readers. */
  label: string;
  statuses: readonly string[];
}

/** Selects the status. */
export function StatusFilter({ label, statuses }: StatusFilterProps) {
  const status = useStatus(statuses);
  const navigate = useNavigate();
  return (
    <Select
      w={190}
      mb="md"
      aria-label={label}
      placeholder="Any status"
      clearable
      data={statuses.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
      value={status ?? null}
      onChange={(chosen) =>
        void navigate({
          to: '.',
          search: (before: Record<string, unknown>) => ({ ...before, status: chosen ?? undefined }),
          replace: true,
        })
      }
    />
  );
}
