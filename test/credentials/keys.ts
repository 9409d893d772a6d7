import type { CredentialKeys } from '../../src/credentials/key-ring';

/** Keys that seal nothing real: 32 equal bytes each. */
const bytes: Record<string, number> = { k1: 0x11, k2: 0x22, k3: 0x33 };

/** Returns a ring's configuration with these keys; the first one writes in a new database. */
export function testKeys(...ids: string[]): CredentialKeys {
  return {
    keys: ids.map((id) => ({ id, key: Buffer.alloc(32, bytes[id] ?? 0x44) })),
    activeKeyId: ids[0],
  };
}
