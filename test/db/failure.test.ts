import { runInNewContext } from 'node:vm';
import { classifyFailure, failureError, isRolledBack } from '../../src/db/failure';
import { StatementError } from '../../src/db/statement-error';

describe('what a failed transaction means', () => {
  const coded = (code: string): Error => Object.assign(new Error('as the driver says it'), { code });

  test.each([
    ['contention', 'a lock time-out', coded('55P03')],
    ['contention', 'a deadlock', coded('40P01')],
    ['connection', 'a terminated backend', coded('57P01')],
    ['connection', 'too many connections', coded('53300')],
    ['connection', 'a password that was changed', coded('28P01')],
    ['connection', 'a login that is not allowed', coded('28000')],
    ['connection', 'a database that is being restored under its name', coded('3D000')],
    [
      'connection',
      'a database that accepts no connections',
      Object.assign(coded('55000'), { severity: 'FATAL' }),
    ],
    [
      'connection',
      'a database to which the role may not connect',
      Object.assign(coded('42501'), { severity: 'FATAL' }),
    ],
    ['defect', 'a statement that the role may not run', Object.assign(coded('42501'), { severity: 'ERROR' })],
    ['connection', 'a reset socket', coded('ECONNRESET')],
    ['connection', 'name servers that do not answer', new Error('getaddrinfo EAI_AGAIN db.internal')],
    // Of a host with several addresses, whose message is empty.
    ['connection', 'a network without a route', coded('ENETUNREACH')],
    ['connection', 'a certificate that has expired', coded('CERT_HAS_EXPIRED')],
    ['connection', 'an authority that was replaced by one of its name', coded('CERT_SIGNATURE_FAILURE')],
    ['connection', 'a key of another certificate', coded('ERR_OSSL_X509_KEY_VALUES_MISMATCH')],
    ['connection', 'a certificate that Postgres refuses', coded('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA')],
    ['connection', 'a key that is being replaced', Object.assign(coded('ENOENT'), { syscall: 'open' })],
    ['connection', 'a certificate of another host', coded('ERR_TLS_CERT_ALTNAME_INVALID')],
    ['connection', 'a reset socket as knex says it', new Error('SELECT 1 - read ECONNRESET')],
    ['connection', 'a socket error of another realm', runInNewContext("new Error('read ECONNRESET')")],
    [
      'connection',
      'an error that objection wraps',
      Object.assign(new Error('x'), { nativeError: coded('08006') }),
    ],
    ['defect', 'a wrong statement', coded('42601')],
    ['defect', 'what is no error', 'read ECONNRESET'],
  ])('%s: %s', (failure, _what, error: unknown) => {
    expect(classifyFailure(error)).toBe(failure);
  });

  test('a lost connection is 503 to the caller, with when to come back', () => {
    expect(failureError(runInNewContext("new Error('read ECONNRESET')"))).toMatchObject({
      code: 'service_unavailable',
      retryAfter: 1,
    });
  });
});

test.each([
  [true, 'a full disk', { severity: 'ERROR', code: '53100' }],
  [false, 'a shutdown, which may follow the commit', { severity: 'FATAL', code: '57P01' }],
  [false, 'a server that an old PgBouncer has lost', { severity: 'ERROR', code: '08P01' }],
  [false, 'a reset socket', { code: 'ECONNRESET' }],
])('whether Postgres has rolled back is %s: %s', (isKnown, _what, members) => {
  const error = Object.assign(new Error('as the driver says it'), members);
  expect(isRolledBack(error)).toBe(isKnown);
  expect(isRolledBack(new StatementError('insert_operation', error))).toBe(isKnown);
});
