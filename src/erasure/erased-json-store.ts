import { KEPT_EVENT_MEMBERS, ERASED_WORD, pseudonymOf } from '../domain/erasure';
import { textArray } from '../db/parameters';
import { ANY_IDENTIFIER } from '../identifiers/identifier';

/** Bindings of `idsOf` and `eventDataOf`, by name. */
export function jsonBindings(customerId: string): Record<string, string> {
  return {
    anyIdentifier: ANY_IDENTIFIER,
    wholeIdentifier: `^${ANY_IDENTIFIER}$`,
    keptMembers: textArray(KEPT_EVENT_MEMBERS),
    erasedWord: ERASED_WORD,
    pseudonym: pseudonymOf(customerId),
  };
}

/**
 * Returns an SQL expression: the members of a `jsonb` object that are ids of this service. The integrator's own ids are
 * left out.
 */
export function idsOf(object: string): string {
  return `(SELECT coalesce(jsonb_object_agg(m.key, m.value), '{}') FROM jsonb_each(${object}) m
            WHERE m.key <> 'externalId' AND jsonb_typeof(m.value) = 'string' AND m.value #>> '{}' ~ :wholeIdentifier)`;
}

/**
 * Returns an SQL expression: an event's data without anything that names a person. Ids and figures remain, as do the
 * members that readers of a decision rely on.
 */
export function eventDataOf(object: string): string {
  return `(SELECT coalesce(jsonb_object_agg(m.key, m.value), '{}') FROM jsonb_each(${object}) m
            WHERE m.key = ANY (:keptMembers::text[]))
          || CASE WHEN jsonb_exists(${object}, 'externalId') THEN jsonb_build_object('externalId', :pseudonym::text) ELSE '{}' END
          || CASE WHEN jsonb_exists(${object}, 'requestId') THEN jsonb_build_object('requestId', :erasedWord::text) ELSE '{}' END
          || ${idsOf(object)}`;
}

/** Returns an SQL condition: the JSON text contains one of the ids bound as `ids`. */
export function namesOneOfIds(text: string): string {
  return `EXISTS (SELECT FROM regexp_matches(${text}, :anyIdentifier, 'g') AS found (ids) WHERE found.ids[1] = ANY (:ids::text[]))`;
}
