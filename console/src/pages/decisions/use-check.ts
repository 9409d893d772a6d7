import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { useWorkspace } from '../../app/workspace';

/** Runs a check of a customer. */
export function useCheck() {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({
      customerId,
      ...body
    }: {
      customerId: string;
      feature: string;
      quantity: number;
      entity?: string;
    }) =>
      bodyOf(api.POST('/api/customers/{id}/check', { params: { query, path: { id: customerId } }, body })),
    onSuccess: () => invalidate(queries, [['events']]),
  });
}
