import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { openEnvelope, sealEnvelope, type EnvelopeOwner } from '../credentials/envelope';
import type { CredentialKey, KeyRing } from '../credentials/key-ring';
import type { Instant } from '../domain/instant';
import type { WorkspaceScope } from '../tenancy/actor';

/** An endpoint's secret as stored: an envelope of src/credentials, in base64. */
export const sealedSecretSchema = z.strictObject({
  keyId: z.string(),
  /** Increases with each sealing of this endpoint's secrets. */
  revision: z.int().min(1),
  sealed: z.base64(),
});
export type SealedSecret = z.output<typeof sealedSecretSchema>;

/** Rolled secrets, with the ISO 8601 times until which they sign. */
export const olderSecretsSchema = z.array(
  sealedSecretSchema.extend({ until: z.iso.datetime().transform((time) => Date.parse(time)) }),
);

/** Sealed secrets that sign an endpoint's messages. */
export interface SealedSecrets {
  current: SealedSecret;
  /** Rolled secrets, newest first. */
  earlier: readonly EarlierSecret[];
}

/** A rolled secret. */
export interface EarlierSecret extends SealedSecret {
  /** Until when it still signs; real time. */
  until: Instant;
}

/** Standard Webhooks requires 24 to 64 bytes. */
const SECRET_BYTES = 32;

/** Generates a secret in the form receivers' libraries accept: `whsec_` and base64. */
export function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export function sealSecret(
  key: CredentialKey,
  scope: WorkspaceScope,
  endpointId: string,
  { revision, secret }: { revision: number; secret: string },
): SealedSecret {
  const envelope = sealEnvelope(key, ownerOf(scope, endpointId, revision), { secret });
  return { keyId: key.id, revision, sealed: envelope.toString('base64') };
}

/** @throws TollgateError key_unavailable, credential_corrupt */
export function openSecret(
  keyRing: KeyRing,
  scope: WorkspaceScope,
  endpointId: string,
  sealed: SealedSecret,
): string {
  const owner = ownerOf(scope, endpointId, sealed.revision);
  return openEnvelope(keyRing, owner, Buffer.from(sealed.sealed, 'base64'))['secret'] ?? '';
}

/**
 * Opens the secrets that sign at an instant, the current one first.
 *
 * @param now real time
 * @throws TollgateError key_unavailable, credential_corrupt
 */
export function openSecrets(
  keyRing: KeyRing,
  scope: WorkspaceScope,
  endpointId: string,
  secrets: SealedSecrets,
  now: Instant,
): string[] {
  return sealedThatSign(secrets, now).map((sealed) => openSecret(keyRing, scope, endpointId, sealed));
}

/** Returns the secrets that sign at an instant, the current one first. @param now real time */
export function sealedThatSign({ current, earlier }: SealedSecrets, now: Instant): SealedSecret[] {
  return [current, ...thatSign(earlier, now)];
}

/** Returns the rolled secrets that still sign at an instant. @param now real time */
export function thatSign(earlier: readonly EarlierSecret[], now: Instant): EarlierSecret[] {
  return earlier.filter(({ until }) => until > now);
}

/** Returns the envelope's owner. No payment provider has this name, so neither kind of envelope opens as the other. */
function ownerOf(scope: WorkspaceScope, endpointId: string, revision: number): EnvelopeOwner {
  const { workspaceId, environment } = scope;
  return { workspaceId, environment, provider: 'webhook_endpoint', connectionId: endpointId, revision };
}
