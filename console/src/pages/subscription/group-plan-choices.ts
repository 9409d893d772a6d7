import type { Plan, Subscription } from '../../api/resources';
import type { useWorkspace } from '../../app/workspace';
import { planChoices } from '../../ui/catalogue-choices';
import type { Choices } from '../../ui/SearchSelect';

type ChoicePlan = Pick<Plan, 'id' | 'name' | 'price' | 'interval' | 'pricing'>;

/** Returns the plans that a subscription can change to, its own first with its current price. */
export function groupPlanChoices(
  query: ReturnType<typeof useWorkspace>['query'],
  { planGroupId, plan, price, interval, pricing }: Subscription,
): Choices<ChoicePlan> {
  const own: ChoicePlan = { ...plan, price, interval, pricing };
  const { queryKey, find, read, toChoice } = planChoices(query, { planGroupId });
  return {
    queryKey: [...queryKey, own],
    find: async (search) => {
      const others = (await find(search)).filter(({ id }) => id !== own.id);
      return search === undefined ? [own, ...others] : others;
    },
    read: (id) => (id === own.id ? Promise.resolve(own) : read(id)),
    toChoice,
  };
}
