import type { Clock } from '../clock/system-clock';
import type { Database, DbTransaction } from '../db/pools';
import { inOrganization } from '../db/workspace-transaction';
import { TollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import type { PasswordProof } from '../operators/password-proof';
import type { Charge } from '../operators/login-throttle';
import type { LoggedIn } from '../operators/login';
import { loginFailed } from '../operators/login-failed';
import {
  findOperatorByEmail,
  holdPassword,
  insertOperator,
  type OperatorRow,
} from '../operators/operator-store';
import { hashPassword } from '../operators/password';
import { assertPasswordAllowed } from '../operators/password-policy';
import type { Role } from '../operators/roles';
import { hashToken } from '../operators/session-token';
import { hasSecondFactor } from '../second-factor/second-factor-store';
import { isInvitationValid } from './invitation-rights';
import { findInvitationByToken, findOpenInvitation, type InvitationRow } from './invitation-store';
import { joinOrganization } from './join-organization';
import { findOrganization, lockOrganization } from './organization-store';

/** Details of an invitation shown to the holder of its link before accepting. */
interface InvitationView {
  organizationName: string;
  email: string;
  role: Role;
  expiresAt: number;
  /** Whether the address has an account. If so, the holder is authenticated by its password. */
  hasAccount: boolean;
}

export interface InvitationAcceptance {
  /** @throws TollgateError invitation_invalid */
  look(token: string): Promise<InvitationView>;
  /**
   * Joins the organization, either with a new account (name and password) or with the existing account of the address,
   * authenticated by its password. An invitation works once, and only while its author may grant its role. An operator
   * with a second factor does not join yet: that takes a code, see `joinWith`.
   *
   * @returns workspaceId null if the operator has not joined
   * @throws TollgateError invitation_invalid, validation_failed, login_failed, login_throttled, resource_conflict
   */
  accept(input: {
    token: string;
    name: string | undefined;
    password: string;
    ip: string;
    requestId: string;
    /** Token of the device, if the browser has one. */
    device: string | undefined;
    /** The request's throttle charge; refunded if its token belongs to an invitation. */
    charge: Charge | undefined;
  }): Promise<{ operator: OperatorRow; workspaceId: string | null }>;
  /**
   * Joins in the same transaction that completes the log-in after the second factor was proved: both happen, or
   * neither.
   *
   * @throws TollgateError invitation_invalid, also if it is for another address; resource_conflict; errors of `open`
   */
  joinWith(
    input: { token: string; ip: string },
    open: (trx: DbTransaction) => Promise<LoggedIn>,
  ): Promise<{ loggedIn: LoggedIn; workspaceId: string }>;
}

export function createInvitationAcceptance(dependencies: {
  database: Database;
  proof: PasswordProof;
  clock: Clock;
}): InvitationAcceptance {
  const { database, proof, clock } = dependencies;

  /**
   * Runs `work` with the re-checked invitation, in its organization's transaction.
   *
   * @param purpose `join` blocks concurrent changes of members and invitations: a concurrent removal of the inviter
   *   then happens either before (the invitation has ended) or after (it was still valid)
   */
  async function withInvitation<Result>(
    token: string,
    purpose: 'look' | 'join',
    work: (trx: DbTransaction, workspaceId: string, invitation: InvitationRow) => Promise<Result>,
  ): Promise<Result> {
    const found = await findInvitationByToken(database, hashToken(token));
    if (found === undefined) throw invalid();
    const { workspaceId, id } = found;
    return inOrganization(database, workspaceId, 'OPERATOR', async (trx) => {
      if (purpose === 'join') await lockOrganization(trx, workspaceId);
      const invitation = await findOpenInvitation(trx, workspaceId, id, clock.now());
      if (invitation === undefined || !isInvitationValid(invitation)) throw invalid();
      return work(trx, workspaceId, invitation);
    });
  }

  /** Returns the joining account, authenticated before any transaction is open because hashing takes time. */
  async function accountFor(
    email: string,
    input: Pick<
      Parameters<InvitationAcceptance['accept']>[0],
      'name' | 'password' | 'ip' | 'requestId' | 'device'
    >,
  ): Promise<{ operator: OperatorRow; isNew: boolean }> {
    if ((await findOperatorByEmail(database, email)) !== undefined) {
      const { password, ip, requestId, device } = input;
      return { operator: await proof.prove({ email, password, ip, requestId, device }), isNew: false };
    }
    if (input.name === undefined) {
      throw new TollgateError('validation_failed', 'name: is needed for a new account', {
        errors: [{ pointer: '/name', message: 'is needed for a new account', fix: 'Send your name.' }],
      });
    }
    assertPasswordAllowed(input.password, email, '/password');
    const operator = {
      id: newIdentifier('operator'),
      email,
      name: input.name,
      password_hash: await hashPassword(email, input.password),
      is_platform_administrator: false,
      created_at: clock.now(),
    };
    return { operator, isNew: true };
  }

  return {
    look: (token) =>
      withInvitation(token, 'look', async (trx, workspaceId, invitation) => {
        const organization = await findOrganization(trx, workspaceId);
        const account = await findOperatorByEmail(trx, invitation.email);
        return {
          organizationName: organization?.name ?? '',
          email: invitation.email,
          role: invitation.role,
          expiresAt: invitation.expires_at,
          hasAccount: account !== undefined,
        };
      }),

    async accept(input) {
      const email = await withInvitation(input.token, 'look', (_trx, _workspaceId, invitation) =>
        Promise.resolve(invitation.email),
      );
      await input.charge?.refund();
      const { operator, isNew } = await accountFor(email, input);
      return withInvitation(input.token, 'join', async (trx, workspaceId, invitation) => {
        if (isNew && !(await insertOperator(trx, operator))) {
          // Another invitation to the same address has just created the account, so its password was not proved.
          throw new TollgateError(
            'resource_conflict',
            'This e-mail address now has an account. Accept with its password.',
          );
        }
        // If the account was reset or its password changed in the meantime, the proof is void.
        if (!isNew && !(await holdPassword(trx, operator))) throw loginFailed();
        // With a second factor, the password alone is not enough. From here on no factor can be enrolled concurrently.
        if (await hasSecondFactor(trx, operator.id)) return { operator, workspaceId: null };
        await joinOrganization(trx, workspaceId, { invitation, operator, ip: input.ip, now: clock.now() });
        return { operator, workspaceId };
      });
    },

    joinWith({ token, ip }, open) {
      return withInvitation(token, 'join', async (trx, workspaceId, invitation) => {
        const loggedIn = await open(trx);
        const { operator } = loggedIn;
        const invited = await findOperatorByEmail(trx, invitation.email);
        if (invited?.id !== operator.id) throw invalid();
        await joinOrganization(trx, workspaceId, { invitation, operator, ip, now: clock.now() });
        return { loggedIn, workspaceId };
      });
    },
  };
}

function invalid(): TollgateError {
  return new TollgateError(
    'invitation_invalid',
    'This invitation is unknown, used, revoked or expired, or its author may no longer grant the role.',
  );
}
