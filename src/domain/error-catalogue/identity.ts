import type { ErrorDefinition } from './definition';

/** Errors about the caller's identity and permissions. */
export const identityErrors = {
  api_key_missing: {
    status: 401,
    title: 'The request carries no API key.',
    fix: 'Send the header `Authorization: Bearer <API key>`.',
  },
  api_key_invalid: {
    status: 401,
    title: 'The API key is not known.',
    fix: 'Copy the whole key again, or create a new one in the console under Developer > API keys.',
  },
  api_key_revoked: {
    status: 401,
    title: 'The API key has been revoked.',
    fix: 'Create a new key in the console under Developer > API keys and replace the old one.',
  },
  api_key_expired: {
    status: 401,
    title: 'The API key has expired.',
    fix: 'Create a new key in the console under Developer > API keys and replace the old one.',
  },
  api_key_wrong_environment: {
    status: 401,
    title: 'The API key belongs to the other environment.',
    fix: 'Send it to the host that `detail` names, or use a key of this environment.',
  },
  scope_missing: {
    status: 403,
    title: 'The API key lacks the scope that this needs.',
    fix: 'Use a key with the scope in `scope`, or create one in the console under Developer > API keys.',
  },
  session_required: {
    status: 401,
    title: 'You are not logged in.',
    fix: 'Log in and send the request again. The console takes no API key: keys are for `/v1` on the hosts of the API.',
  },
  portal_session_required: {
    status: 401,
    title: 'There is no session of the customer’s page, or it has ended.',
    fix: 'Have the application ask for a new link: `POST /v1/portal-sessions`.',
  },
  portal_link_invalid: {
    status: 404,
    title: 'The link to the customer’s page was opened before, has expired, or was withdrawn.',
    fix: 'Have the application ask for a new link: `POST /v1/portal-sessions`.',
  },
  portal_action_not_offered: {
    status: 403,
    title: 'This is not offered on the customer’s page.',
    fix: 'Have an operator offer it in the console under Settings > Customer’s page, or do it by the API.',
  },
  login_failed: {
    status: 401,
    title: 'The e-mail address or the password is wrong.',
    fix: 'Check both and try again. If the password is lost, ask an owner for a reset link.',
  },
  password_wrong: {
    status: 401,
    title: 'The password of your account is wrong.',
    fix: 'Enter the password again. If it is lost, ask an owner for a reset link.',
  },
  login_throttled: {
    status: 429,
    title: 'There were too many attempts to log in.',
    fix: 'Wait for the seconds in `Retry-After` and try again.',
  },
  login_challenge_invalid: {
    status: 401,
    title: 'The log-in is unknown, finished or has taken too long.',
    fix: 'Log in again with the password.',
  },
  second_factor_failed: {
    status: 401,
    title: 'The code of the second factor is wrong.',
    fix: 'Send the code that the authenticator app shows now, or a recovery code that was not used yet. Without either, ask an owner for a reset link.',
  },
  second_factor_required: {
    status: 403,
    title: 'This needs your second factor again.',
    fix: 'Send a code to POST /api/auth/second-factor/confirm, and then the same request again.',
  },
  second_factor_enrolment_required: {
    status: 403,
    title: 'The organization requires a second factor, and you have none.',
    fix: 'Set one up in the console under Account, or with POST /api/auth/second-factor, and send the request again.',
  },
  second_factor_not_enrolled: {
    status: 409,
    title: 'Your account has no second factor.',
    fix: 'Set one up in the console under Account, or with POST /api/auth/second-factor.',
  },
  second_factor_exists: {
    status: 409,
    title: 'Your account already has a second factor.',
    fix: 'Turn it off with your password and a code, and then set up the new one.',
  },
  reset_link_invalid: {
    status: 404,
    title: 'The reset link is unknown, used or expired.',
    fix: 'Ask an owner of the organization for a new link.',
  },
  reset_link_refused: {
    status: 403,
    title: 'No owner of this organization can reset this account.',
    fix: 'Ask who `detail` names.',
  },
  reset_link_other_session: {
    status: 409,
    title: 'Another account is logged in here.',
    fix: 'Log out, or open the link in another browser.',
  },
  origin_forbidden: {
    status: 403,
    title: 'The request comes from a page of another origin.',
    fix: 'Call from the page itself (the console, or the customer’s page), or send an `Origin` header that is its address.',
  },
  role_forbidden: {
    status: 403,
    title: 'Your role in this organization does not allow this.',
    fix: 'Ask an owner or administrator of the organization to do it or to change your role.',
  },
  platform_administrator_required: {
    status: 403,
    title: 'Only a platform administrator can do this.',
    fix: 'Ask a platform administrator of this installation.',
  },
  invitation_invalid: {
    status: 404,
    title: 'The invitation is unknown, used or expired.',
    fix: 'Ask an owner of the organization for a new invitation.',
  },
} as const satisfies Record<string, ErrorDefinition>;
