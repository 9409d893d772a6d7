import { z } from 'zod';
import { errorCatalogue, type ErrorCode } from '../../domain/errors';
import type { Access, Route } from '../route';

/** Errors of calls with a secret key. */
export const apiKeyErrors: readonly ErrorCode[] = [
  'api_key_missing',
  'api_key_invalid',
  'api_key_revoked',
  'api_key_expired',
  'api_key_wrong_environment',
  'scope_missing',
  'rate_limited',
];

const accessErrors: Record<Access, readonly ErrorCode[]> = {
  public: [],
  apiKey: apiKeyErrors,
  portal: ['portal_session_required', 'rate_limited'],
  session: ['session_required'],
  platformAdministrator: ['session_required', 'platform_administrator_required'],
  operator: ['session_required', 'organization_forbidden', 'validation_failed'],
};

/** Errors of a JSON body. */
export const bodyErrors: readonly ErrorCode[] = [
  'validation_failed',
  'body_invalid_json',
  'body_invalid_utf8',
  'body_duplicate_member',
  'body_too_complex',
  'body_number_imprecise',
  'body_too_large',
  'body_incomplete',
  'content_type_unsupported',
];

/** Errors of a body that is split into elements without being parsed: the others are those of an element. */
const listErrors = bodyErrors.filter(
  (code) => code !== 'body_too_complex' && code !== 'body_number_imprecise',
);

const keyErrors: readonly ErrorCode[] = [
  'idempotency_key_invalid',
  'idempotency_key_reused',
  'idempotency_key_in_use',
];

/** Browsers send the cookie automatically, so changes must come from the console's own pages. */
const BY_COOKIE: ReadonlySet<Access> = new Set(['portal', 'session', 'platformAdministrator', 'operator']);

/** Errors that any route may answer. */
const anywhere: readonly ErrorCode[] = ['service_unavailable', 'internal_error'];

/** Errors answered before a route is known; documented once for the whole API. */
export const hostErrors: readonly ErrorCode[] = [
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'request_malformed',
  'headers_too_large',
];

const PLACE = new Map(Object.keys(errorCatalogue).map((code, index) => [code, index]));

/**
 * Returns every code that a route can answer: its own, and those of its access, its input and its idempotency key.
 * Sorted by status and then in the catalogue's order, so that routes with the same codes list them alike.
 */
export function errorCodesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([...accessErrors[route.access], ...(route.errors ?? [])]);
  const add = (more: readonly ErrorCode[]): void => {
    for (const code of more) codes.add(code);
  };
  // Every route refuses unknown query parameters; a path or query with a schema is also validated.
  add(['validation_failed']);
  const filters = route.query instanceof z.ZodObject ? route.query.shape : {};
  if ('take' in filters) add(['take_invalid']);
  if ('cursor' in filters) add(['cursor_invalid']);
  // The least role is a viewer's, so a route for viewers refuses no member.
  if (route.access === 'operator' && (route.roleInProduction ?? route.role) !== 'viewer')
    add(['role_forbidden']);
  if (route.stepUp !== undefined) add(['second_factor_required']);
  // An operator who must first enrol is refused wherever membership of the organization is checked.
  if (codes.has('organization_forbidden')) add(['second_factor_enrolment_required']);
  if (BY_COOKIE.has(route.access) && route.method !== 'get') add(['origin_forbidden']);
  if (route.body !== undefined) add(bodyErrors);
  if (route.listBody !== undefined) add(listErrors);
  if (route.rawBody === true) add(['body_too_large', 'body_incomplete', 'request_timeout']);
  if (route.idempotencyKey !== undefined) add(keyErrors);
  if (route.idempotencyKey === 'required') add(['idempotency_key_required']);
  add(anywhere);
  return [...codes].sort(
    (one, other) =>
      errorCatalogue[one].status - errorCatalogue[other].status ||
      (PLACE.get(one) ?? 0) - (PLACE.get(other) ?? 0),
  );
}
