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
import { invitationStands } from './invitation-rights';
import { findInvitationByToken, findOpenInvitation, type InvitationRow } from './invitation-store';
import { joinOrganization } from './join-organization';
import { findOrganization, lockOrganization } from './organization-store';

/** What the holder of an invitation's link sees before accepting. */
interface InvitationView {
  organizationName: string;
  email: string;
  role: Role;
  expiresAt: number;
  /** True when the address has an account, whose password then proves the holder. */
  hasAccount: boolean;
}

export interface InvitationAcceptance {
  /** @throws TollgateError invitation_invalid */
  look(token: string): Promise<InvitationView>;
  /**
   * Joins the organization: with a new account (name and password), or with the account that the address has,
   * which its password proves. An invitation works once, and only while its maker may give its role. Who has a second
   * factor has not joined yet: that takes a code, by `joinWith`.
   *
   * @returns workspaceId null where nothing was joined
   * @throws TollgateError invitation_invalid, validation_failed, login_failed, login_throttled, resource_conflict
   */
  accept(input: {
    token: string;
    name: string | undefined;
    password: string;
    ip: string;
    requestId: string;
    /** What the request was charged; taken back when its token is an invitation's. */
    charge: Charge | undefined;
  }): Promise<{ operator: OperatorRow; workspaceId: string | null }>;
  /**
   * Joins in the transaction that finishes the log-in of who has proved their second factor: both, or neither.
   *
   * @throws TollgateError invitation_invalid, also where it is to another address; resource_conflict; what `open` throws
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
   * Runs `work` with the invitation, re-checked, in its organization's transaction.
   *
   * @param change true to hold back other changes of members and invitations: a concurrent removal of the inviter happens
   *   before (their invitation has ended) or after (it was still valid)
   */
  async function withInvitation<Result>(
    token: string,
    change: boolean,
    work: (trx: DbTransaction, workspaceId: string, invitation: InvitationRow) => Promise<Result>,
  ): Promise<Result> {
    const found = await findInvitationByToken(database, hashToken(token));
    if (found === undefined) throw invalid();
    const { workspaceId, id } = found;
    return inOrganization(database, workspaceId, 'OPERATOR', async (trx) => {
      if (change) await lockOrganization(trx, workspaceId);
      const invitation = await findOpenInvitation(trx, workspaceId, id, clock.now());
      if (invitation === undefined || !invitationStands(invitation)) throw invalid();
      return work(trx, workspaceId, invitation);
    });
  }

  /** The account that joins, proved before any transaction is open: hashing takes its time. */
  async function accountFor(
    email: string,
    input: { name: string | undefined; password: string; ip: string; requestId: string },
  ): Promise<{ operator: OperatorRow; isNew: boolean }> {
    if ((await findOperatorByEmail(database, email)) !== undefined) {
      const { password, ip, requestId } = input;
      return { operator: await proof.prove({ email, password, ip, requestId }), isNew: false };
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
      password_hash: await hashPassword(input.password),
      is_platform_administrator: false,
      created_at: clock.now(),
    };
    return { operator, isNew: true };
  }

  return {
    look: (token) =>
      withInvitation(token, false, async (trx, workspaceId, invitation) => {
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
      const email = await withInvitation(input.token, false, (_trx, _workspaceId, invitation) =>
        Promise.resolve(invitation.email),
      );
      await input.charge?.takeBack();
      const { operator, isNew } = await accountFor(email, input);
      return withInvitation(input.token, true, async (trx, workspaceId, invitation) => {
        if (isNew && !(await insertOperator(trx, operator))) {
          // Another invitation to the same address has just made the account, and its password was not proved.
          throw new TollgateError(
            'resource_conflict',
            'This e-mail address now has an account. Accept with its password.',
          );
        }
        // Whose account was reset or whose password was changed meanwhile has proved nothing.
        if (!isNew && !(await holdPassword(trx, operator))) throw loginFailed();
        // The password alone takes nobody anywhere who has more to show. From here on it cannot be enrolled.
        if (await hasSecondFactor(trx, operator.id)) return { operator, workspaceId: null };
        await joinOrganization(trx, workspaceId, { invitation, operator, ip: input.ip, now: clock.now() });
        return { operator, workspaceId };
      });
    },

    joinWith({ token, ip }, open) {
      return withInvitation(token, true, async (trx, workspaceId, invitation) => {
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
