import { TollgateError } from '../../domain/errors';
import { allowsScope, type KeyScope, type RequiredScope } from '../../domain/key-scopes';

/** @throws TollgateError scope_missing, with the scope to ask for */
export function requireScope(held: readonly KeyScope[] | null, required: RequiredScope): void {
  if (allowsScope(held, required)) return;
  const [scope] = required.anyOf;
  throw new TollgateError('scope_missing', `This key lacks the scope "${scope}".`, { extra: { scope } });
}
