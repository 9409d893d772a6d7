import type { ConnectedProvider } from '../../connections/connected-providers';
import type { ProviderCall } from '../../domain/provider-work';
import type { Outcome } from '../../providers/outcome';

/**
 * Returns a call with the subscription's own price: the first of its former references that costs `unitAmount` at the
 * provider, where a price never changes. `unknown` if they cannot be read.
 */
export async function withOwnPrice(
  { adapter, access }: ConnectedProvider,
  call: ProviderCall,
): Promise<Outcome<ProviderCall>> {
  if (call.action !== 'change') return { kind: 'done', value: call };
  for (const planReference of call.formerReferences ?? []) {
    const read = await adapter.fetchPlanPrice(access, planReference);
    if (read.kind === 'unknown') return read;
    if ('value' in read && read.value.amount === call.unitAmount)
      return { kind: 'done', value: { ...call, planReference } };
  }
  return { kind: 'done', value: call };
}
