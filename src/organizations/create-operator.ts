import { randomBytes } from 'node:crypto';
import type { Database } from '../db/pools';
import { TollgateError } from '../domain/errors';
import type { Instant } from '../domain/instant';
import { newIdentifier } from '../identifiers/identifier';
import { createOrganization } from './create-organization';
import { findOperatorByEmail, insertOperator } from '../operators/operator-store';
import { hashPassword } from '../operators/password';
import { assertPasswordAllowed } from '../operators/password-policy';

export interface NewOperator {
  email: string;
  name: string;
  /** Generated and returned if omitted. */
  password?: string | undefined;
  /** Name of the organization created with the operator as its owner. */
  organization: string;
  isPlatformAdministrator: boolean;
  now: Instant;
}

export interface CreatedOperator {
  operatorId: string;
  organizationId: string;
  organizationSlug: string;
  /** Set only if it was generated: it is not stored and cannot be shown again. */
  generatedPassword: string | null;
}

/**
 * Creates an operator and an organization that the operator owns, for a deployment's first start. An existing account
 * is never changed.
 *
 * @throws TollgateError resource_conflict for a known e-mail address, validation_failed for a weak password
 */
export async function createOperatorWithOrganization(
  database: Database,
  input: NewOperator,
): Promise<CreatedOperator> {
  const { email, name, isPlatformAdministrator, now } = input;
  const generated = input.password === undefined ? randomBytes(18).toString('base64url') : null;
  const password = input.password ?? generated ?? '';
  assertPasswordAllowed(password, email, '/password');
  if ((await findOperatorByEmail(database, email)) !== undefined) throw taken(email);
  const operator = {
    id: newIdentifier('operator'),
    email,
    name,
    password_hash: await hashPassword(email, password),
    is_platform_administrator: isPlatformAdministrator,
    created_at: now,
  };
  const organization = await database.transaction(async (trx) => {
    if (!(await insertOperator(trx, operator))) throw taken(email);
    return createOrganization(trx, {
      name: input.organization,
      ownerId: operator.id,
      reason: 'SYSTEM',
      ip: null,
      now,
    });
  });
  return {
    operatorId: operator.id,
    organizationId: organization.workspace_id,
    organizationSlug: organization.slug,
    generatedPassword: generated,
  };
}

function taken(email: string): TollgateError {
  return new TollgateError(
    'resource_conflict',
    `There is an operator with the e-mail address ${email} already; nothing was changed.`,
  );
}
