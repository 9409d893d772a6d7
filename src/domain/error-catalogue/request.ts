import type { ErrorDefinition } from './definition';

/** Errors in the request itself. */
export const requestErrors = {
  validation_failed: {
    status: 400,
    title: 'The request has missing, unknown or malformed members.',
    fix: 'Correct each member that `errors` points to and send the request again.',
  },
  timestamp_out_of_range: {
    status: 422,
    title: 'The time of use lies too far back or ahead.',
    fix: 'Send the time at which the use happened. The workspace’s setting `usageReportedDays` says how far back it may lie; it may lie 5 minutes ahead.',
  },
  body_invalid_json: {
    status: 400,
    title: 'The body is not valid JSON.',
    fix: 'Send one JSON object in UTF-8 without a byte order mark, nested at most 16 levels deep.',
  },
  body_duplicate_member: {
    status: 400,
    title: 'An object in the body has a member twice.',
    fix: 'Send the member that `errors` points to only once.',
  },
  body_too_complex: {
    status: 400,
    title: 'The body has more members and elements than this endpoint accepts.',
    fix: 'Send only the members that the API reference describes.',
  },
  body_invalid_utf8: {
    status: 400,
    title: 'The body is not valid UTF-8 text.',
    fix: 'Encode the body as UTF-8.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is larger than this endpoint accepts.',
    fix: 'Send a smaller body. `detail` and the API reference state the limit.',
  },
  body_incomplete: {
    status: 400,
    title: 'The body ended before it was complete.',
    fix: 'Send as many bytes as `Content-Length` states, and keep the connection open until they are sent.',
  },
  body_number_imprecise: {
    status: 400,
    title: 'A number in the body cannot be represented exactly.',
    fix: 'Send numbers with at most 15 significant digits, written in at most 64 characters.',
  },
  content_type_unsupported: {
    status: 415,
    title: 'The content type of the body is not supported.',
    fix: 'Send JSON in UTF-8, not compressed, with the header `Content-Type: application/json`.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time.',
    fix: 'Send the whole request without long pauses, then try again.',
  },
  request_malformed: {
    status: 400,
    title: 'The data received is not an HTTP request.',
    fix: 'Send HTTP/1.1, and check the proxies between the client and this host.',
  },
  headers_too_large: {
    status: 431,
    title: 'The URL and headers of the request are too large.',
    fix: 'Send at most 16 KB of URL and headers; split long lists over several requests.',
  },
  route_not_found: {
    status: 404,
    title: 'There is no route at this URL.',
    fix: 'Compare the method, host and path with the API reference.',
  },
  method_not_allowed: {
    status: 405,
    title: 'This URL does not accept the method.',
    fix: 'Use one of the methods that the `Allow` header names.',
  },
  cursor_invalid: {
    status: 400,
    title: 'The cursor is damaged or was not issued for this list with these filters.',
    fix: 'Start again without a cursor, or pass it on exactly as it was returned, with the same filters: `nextCursor` as `cursor`, or the `cursor` of an export’s line as `after`.',
  },
  take_invalid: {
    status: 400,
    title: 'The page size is out of range.',
    fix: 'Send `take` as an integer from 1 to 200, or leave it out for 50.',
  },
  entity_required: {
    status: 422,
    title: 'The feature has a quota for each entity, and the request names none.',
    fix: 'Send `entity`: your id of the user, project or similar that uses it.',
  },
} as const satisfies Record<string, ErrorDefinition>;
