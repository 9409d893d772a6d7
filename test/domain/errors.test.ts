import { createContext, runInContext } from 'node:vm';
import {
  errorCatalogue,
  isTollgateError,
  TollgateError,
  type ErrorDefinition,
} from '../../src/domain/errors';

const entries: [string, ErrorDefinition][] = Object.entries(errorCatalogue);

describe('the catalogue of errors', () => {
  it.each(entries)('%s says what happened and what to do, in sentences', (code, { status, title, fix }) => {
    expect(code).toMatch(/^[a-z]+(_[a-z0-9]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(title).toMatch(/^[A-Z][^\n]*[^.]\.$/);
    expect(fix).toMatch(/^[A-Z][^\n]*[^.]\.$/);
    expect(fix).not.toBe(title);
  });

  it('merges its parts without one hiding another', () => {
    const titles = entries.map(([, { title }]) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it.each([
    ['quota_exceeded', 403],
    ['idempotency_key_reused', 422],
    ['idempotency_key_in_use', 409],
    ['cursor_invalid', 400],
    ['api_key_wrong_environment', 401],
    ['capability_unavailable', 409],
    ['capability_unsupported', 422],
    ['feature_not_metered', 422],
    ['organization_forbidden', 404],
    ['subscription_exists', 409],
  ] as const)('answers %s with %d, as the contract says', (code, status) => {
    expect(new TollgateError(code, 'x').status).toBe(status);
  });
});

describe('TollgateError', () => {
  it('carries code, status, detail and what the caller needs', () => {
    const errors = [{ pointer: '/take', message: 'It is 0.', fix: 'Send 1 to 200.' }];
    const cause = new Error('underneath');
    const error = new TollgateError('service_busy', 'Too much.', {
      errors,
      extra: { a: 1 },
      retryAfter: 2,
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'TollgateError',
      message: 'Too much.',
      detail: 'Too much.',
      code: 'service_busy',
      status: 503,
      errors,
      extra: { a: 1 },
      retryAfter: 2,
      cause,
    });
  });

  it('is recognized by its brand, also from another realm', () => {
    expect(isTollgateError(new TollgateError('internal_error', 'x'))).toBe(true);
    const foreign: unknown = runInContext(
      `Object.assign(new Error('x'), { [Symbol.for('tollgate.error')]: true })`,
      createContext({}),
    );
    expect(foreign instanceof TollgateError).toBe(false);
    expect(isTollgateError(foreign)).toBe(true);
  });

  it.each([new Error('x'), { name: 'TollgateError' }, null, undefined, 'TollgateError'])(
    'is not %p',
    (other) => {
      expect(isTollgateError(other)).toBe(false);
    },
  );
});
