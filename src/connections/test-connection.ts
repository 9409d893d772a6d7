import { maskedWords } from '../providers/masked-words';
import type { ProviderAdapter } from '../providers/provider-adapter';
import type { ConnectionTest } from './connection-resource';
import type { OpenConnection } from './open-connection';

/** Every check of the provider's adapter; where there is none, or it fails, that is the result. */
export async function testConnection(
  adapter: ProviderAdapter | undefined,
  { provider, access }: OpenConnection,
): Promise<ConnectionTest> {
  if (adapter === undefined) {
    return failed(`This installation has no adapter for ${provider}: the test is not available.`);
  }
  try {
    const checks = await adapter.testConnection(access);
    return {
      ok: checks.every(({ ok }) => ok),
      checks: checks.map((check) => ({ ...check, message: maskedWords(access, check.message) })),
    };
  } catch {
    // What a client throws can quote what it sent.
    return failed(`${provider} could not be asked. Try again, and look at the provider’s status page.`);
  }
}

function failed(message: string): ConnectionTest {
  return { ok: false, checks: [{ check: 'authentication', ok: false, message }] };
}
