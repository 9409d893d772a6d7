import { useNavigate, useSearch } from '@tanstack/react-router';
import { wordOf } from '../../app/search-params';
import { useOnlyRecord } from '../../ui/OnlyRecord';
import { WordFilter } from '../../ui/WordFilter';

/** Returns the customer by whom a list of money is filtered, for its request; empty if by none. */
export function useCustomerFilter(): { externalId?: string } {
  const externalId = wordOf(useSearch({ strict: false }), 'externalId');
  return externalId === undefined ? {} : { externalId };
}

/** Filters a list of money by its customer. The filter is kept in the address, also for the other lists. */
export function CustomerFilter() {
  const { externalId = '' } = useCustomerFilter();
  const navigate = useNavigate();
  if (useOnlyRecord() !== undefined) return null;
  return (
    <WordFilter
      w={270}
      maw="100%"
      mb="md"
      aria-label="External id of the customer"
      placeholder="Customer’s external id, whole"
      word={externalId}
      onFind={(text) =>
        void navigate({
          to: '.',
          search: (before: Record<string, unknown>) => ({
            ...before,
            externalId: text === '' ? undefined : text,
          }),
          replace: true,
        })
      }
    />
  );
}
