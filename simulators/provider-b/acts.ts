import { z } from 'zod';
import type { Account } from './state';

const act = z.strictObject({
  clientId: z.string(),
  switches: z
    .strictObject({ failPayments: z.boolean().optional(), relatedCaptureId: z.boolean().optional() })
    .optional(),
  revokeTokens: z.boolean().optional(),
});

/**
 * Applies a JSON action to an account: sets its switches, revokes its tokens. Returns its switches.
 * @throws ZodError, or RangeError for an unknown client
 */
export function actOn(accounts: ReadonlyMap<string, Account>, json: unknown): unknown {
  const { clientId, switches = {}, revokeTokens = false } = act.parse(json);
  const account = accounts.get(clientId);
  if (account === undefined) throw new RangeError(`There is no client ${clientId}.`);
  const { failPayments, relatedCaptureId } = switches;
  if (failPayments !== undefined) account.switches.failPayments = failPayments;
  if (relatedCaptureId !== undefined) account.switches.relatedCaptureId = relatedCaptureId;
  if (revokeTokens) account.tokens.clear();
  return account.switches;
}
