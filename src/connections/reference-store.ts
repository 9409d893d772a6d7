import { textArray } from '../db/parameters';
import type { DbTransaction } from '../db/pools';
import { tenantColumns } from '../db/tenant-columns';
import type { Instant } from '../domain/instant';
import type { ReferenceKind } from '../providers/canonical-event';
import type { ConnectionRef } from './connection-ref';

/** A provider's identifier, with the kind of object that it names. */
export interface Reference {
  kind: ReferenceKind;
  reference: string;
}

/**
 * Provider B's payment of a subscription is a sale in version 1 of its API and a capture in version 2, under one
 * reference, and the events of its refunds use either. No other provider has both kinds.
 */
const OTHER_KIND: Readonly<Partial<Record<ReferenceKind, ReferenceKind>>> = {
  payment: 'capture',
  capture: 'payment',
};

function alike({ kind, reference }: Reference): Reference[] {
  const other = OTHER_KIND[kind];
  return other === undefined
    ? [{ kind, reference }]
    : [
        { kind, reference },
        { kind: other, reference },
      ];
}

function nameOf({ kind, reference }: Reference): string {
  return `${kind} ${reference}`;
}

/** The objects here that references of a connection belong to. */
export class Targets {
  private readonly targets = new Map<string, string>();

  add(reference: Reference, targetId: string): void {
    this.targets.set(nameOf(reference), targetId);
  }

  /** Returns the id that the reference belongs to, if it has this prefix (`pay_`). */
  of(named: Reference, prefix: string): string | undefined {
    return alike(named)
      .map((reference) => this.targets.get(nameOf(reference)))
      .find((id) => id?.startsWith(prefix) === true);
  }

  /** Returns whether the reference belongs to this object. */
  has(named: Reference, targetId: string): boolean {
    return this.targets.get(nameOf(named)) === targetId;
  }

  /** Returns the first id with this prefix among the references. */
  first(references: readonly Reference[], prefix: string): string | undefined {
    for (const reference of references) {
      const id = this.of(reference, prefix);
      if (id !== undefined) return id;
    }
    return undefined;
  }

  /** Returns whether a reference is present that neither `before` nor `since` has. */
  goesBeyond(before: Targets, since: readonly Reference[]): boolean {
    const known = new Set([...before.targets.keys(), ...since.map(nameOf)]);
    return [...this.targets.keys()].some((name) => !known.has(name));
  }

  get empty(): boolean {
    return this.targets.size === 0;
  }
}

/** Finds the objects of these references within the connection; another connection's are not this webhook's. */
export async function findTargets(
  trx: DbTransaction,
  { scope, id, provider }: ConnectionRef,
  references: readonly Reference[],
): Promise<Targets> {
  const targets = new Targets();
  if (references.length === 0) return targets;
  const all = references.flatMap(alike);
  const { rows } = await trx.raw<{ rows: (Reference & { targetId: string })[] }>(
    `SELECT r.kind, r.reference, r.target_id AS "targetId"
       FROM unnest(:kinds::text[], :references::text[]) AS q (kind, reference)
       JOIN tollgate.provider_references r ON r.kind = q.kind AND r.reference = q.reference
      WHERE r.workspace_id = :workspaceId AND r.environment = :environment AND r.provider = :provider
        AND r.connection_id = :id`,
    {
      ...scope,
      id,
      provider,
      kinds: textArray(all.map(({ kind }) => kind)),
      references: textArray(all.map(({ reference }) => reference)),
    },
  );
  for (const row of rows) targets.add(row, row.targetId);
  return targets;
}

/**
 * Links a reference to an object here, unless it is already linked; waits for a concurrent link to commit.
 *
 * @returns whether the link is new
 */
export async function addReference(
  trx: DbTransaction,
  { scope, id, provider }: ConnectionRef,
  { kind, reference }: Reference,
  targetId: string,
  at: Instant,
): Promise<boolean> {
  const added = await trx('tollgate.provider_references')
    .insert({
      ...tenantColumns(scope),
      provider,
      kind,
      reference,
      connection_id: id,
      target_id: targetId,
      created_at: new Date(at),
    })
    .onConflict(['workspace_id', 'environment', 'provider', 'kind', 'reference'])
    .ignore()
    .returning('reference');
  return added.length === 1;
}

/** Returns the ids for which the connection has a reference. */
export async function findTargetsAmong(
  trx: DbTransaction,
  { scope, id }: ConnectionRef,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await trx('tollgate.provider_references')
    .where({ ...tenantColumns(scope), connection_id: id })
    .whereIn('target_id', ids)
    .distinct<{ id: string }[]>({ id: 'target_id' });
  return new Set(rows.map((row) => row.id));
}

/** Returns the ids that have a reference of this kind. */
export async function findReferred(
  trx: DbTransaction,
  { scope }: ConnectionRef,
  kind: ReferenceKind,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await trx('tollgate.provider_references')
    .where({ ...tenantColumns(scope), kind })
    .whereIn('target_id', ids)
    .distinct<{ id: string }[]>({ id: 'target_id' });
  return new Set(rows.map((row) => row.id));
}
