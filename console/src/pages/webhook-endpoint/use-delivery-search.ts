import { useNavigate, useSearch } from '@tanstack/react-router';
import { readDeliverySearch, setParams, type DeliverySearch } from '../../app/search-params';

/** Returns which deliveries the address shows, and a function to change that. */
export function useDeliverySearch() {
  const search = readDeliverySearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const show = (change: { [Name in keyof DeliverySearch]?: string | undefined }) => {
    void navigate({ to: '.', search: setParams({ ...search, ...change }), replace: true });
  };
  return { ...search, show };
}
