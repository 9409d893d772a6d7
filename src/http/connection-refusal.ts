import { TollgateError } from '../domain/errors';
import { newIdentifier } from '../identifiers/identifier';
import { problemOf } from './problem';

/**
 * Builds the raw answer to data that is not a request, arrived too slowly, or asks for a tunnel. Node passes none of
 * these to a request handler. The connection is closed after the answer.
 *
 * @param code the parser's error code; `CONNECT` for that method
 * @param publicUrl base URL of `/docs/errors`
 */
export function connectionRefusal(code: string | undefined, publicUrl: string): string {
  const refusal = refusalOf(code);
  const requestId = newIdentifier('request');
  const body = JSON.stringify(problemOf(refusal, requestId, publicUrl));
  const lines = [
    `HTTP/1.1 ${refusal.status} ${REASONS[refusal.status] ?? 'Bad Request'}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

const REASONS: Readonly<Record<number, string>> = {
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function refusalOf(code: string | undefined): TollgateError {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new TollgateError('request_timeout', 'The request did not arrive in time.');
    case 'HPE_HEADER_OVERFLOW':
      return new TollgateError('headers_too_large', 'The URL and headers have more than 16 KB.');
    case 'CONNECT':
      return new TollgateError('request_malformed', 'CONNECT is for proxies, and this host is not one.');
    default:
      return new TollgateError(
        'request_malformed',
        'The data received on this connection is not an HTTP request.',
      );
  }
}
