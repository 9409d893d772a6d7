import type { RequiredScope } from '../../domain/key-scopes';
import type { Expand, Expandable } from '../../expansion/expand';
import type { Expanded, ExpansionName } from '../../expansion/expanded-resource';
import type { Page } from '../../pagination/cursor';
import type { Actor } from '../../tenancy/actor';
import { requireScope } from '../auth/require-scope';
import type { ApiKeyPrincipal, OperatorPrincipal } from '../principals';

/** The scopes that a key needs to read each resource on its own; `expand` needs the same. */
const SCOPES: Record<ExpansionName, RequiredScope> = {
  customer: { anyOf: ['read', 'customers'] },
  plan: { anyOf: ['read', 'subscriptions'] },
};

interface Expanding {
  expand?: ExpansionName[] | undefined;
}
interface ExpandingCall<Query extends Expanding = Expanding> {
  principal: OperatorPrincipal | ApiKeyPrincipal;
  query: Query;
}

type MaybeExpanded<Item> = Item & { expanded?: Expanded };

/**
 * Lists a page, with the resources that the call's `expand` names.
 *
 * @throws TollgateError scope_missing if the key may not read one of them
 */
export async function expandPage<Item extends Expandable, Query extends Expanding>(
  expand: Expand,
  actor: Actor,
  call: ExpandingCall<Query>,
  list: (actor: Actor, query: Omit<Query, 'expand'>) => Promise<Page<Item>>,
): Promise<Page<MaybeExpanded<Item>>> {
  const names = allowedNames(call);
  const query: Omit<Query, 'expand'> & Expanding = { ...call.query };
  delete query.expand;
  const page = await list(actor, query);
  return names.length === 0 ? page : { ...page, data: await expand(actor, page.data, names) };
}

/**
 * Reads one resource, with the resources that the call's `expand` names.
 *
 * @throws TollgateError scope_missing if the key may not read one of them
 */
export async function expandOne<Item extends Expandable>(
  expand: Expand,
  actor: Actor,
  call: ExpandingCall,
  read: () => Promise<Item>,
): Promise<MaybeExpanded<Item>> {
  const names = allowedNames(call);
  const item = await read();
  if (names.length === 0) return item;
  const [expanded = item] = await expand(actor, [item], names);
  return expanded;
}

function allowedNames({ principal, query }: ExpandingCall): readonly ExpansionName[] {
  const names = query.expand ?? [];
  if (principal.kind === 'api_key') for (const name of names) requireScope(principal.scopes, SCOPES[name]);
  return names;
}
