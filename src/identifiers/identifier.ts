import { typeidUnboxed } from 'typeid-js';

/** The type prefix of each id, as callers see it (`sub_01h…`). */
export const identifierPrefixes = {
  organization: 'org',
  operator: 'opr',
  session: 'ses',
  invitation: 'inv',
  apiKey: 'key',
  planGroup: 'pgrp',
  plan: 'plan',
  feature: 'feat',
  entitlement: 'ent',
  customer: 'cus',
  subscription: 'sub',
  creditGrant: 'crd',
  usageEvent: 'uev',
  decision: 'dec',
  developerEvent: 'evt',
  audit: 'aud',
  request: 'req',
} as const;

export type IdentifierKind = keyof typeof identifierPrefixes;

/** A new id: the kind's prefix and a UUIDv7 in base 32 (TypeID), so that ids of one kind sort by creation. */
export function newIdentifier(kind: IdentifierKind): string {
  return typeidUnboxed(identifierPrefixes[kind]);
}
