import type { Instant } from '../domain/instant';
import type { FoundApiKey } from './api-key-store';

/** Cache lifetime. A revocation takes effect within this time in every process; the promised limit is five seconds. */
const CACHE_MS = 3_000;
/** Maximum number of entries. Guesses never enter the cache, so the keys that integrators hold bound it, too. */
const CACHE_SIZE = 10_000;

/**
 * Cache of keys that were just looked up, so that a busy key is not hashed and looked up for every call. Entries are
 * indexed by the secret itself, because the hash would cost more than the rest of a cached key's check. Entries not
 * reloaded within their lifetime are dropped at the next load.
 */
export class ApiKeyCache {
  private readonly entries = new Map<string, { found: FoundApiKey; until: Instant }>();
  /** Increases with each eviction. A result that was read before an eviction must not be cached after it. */
  private generation = 0;

  get(secret: string, now: Instant): FoundApiKey | undefined {
    const entry = this.entries.get(secret);
    // A clock that was set back must not extend an entry's life.
    if (entry === undefined || now >= entry.until || now < entry.until - CACHE_MS) return undefined;
    return entry.found;
  }

  /** Reads through `load`, and caches the result unless a key was evicted in the meantime. */
  async load(
    secret: string,
    now: Instant,
    load: () => Promise<FoundApiKey | undefined>,
  ): Promise<FoundApiKey | undefined> {
    const { generation } = this;
    const found = await load();
    this.entries.delete(secret);
    this.dropOld(now);
    if (found === undefined || generation !== this.generation) return found;
    this.entries.set(secret, { found, until: now + CACHE_MS });
    return found;
  }

  /** Drops expired entries. The oldest come first. */
  private dropOld(now: Instant): void {
    for (const [secret, { until }] of this.entries) {
      if (now < until && this.entries.size < CACHE_SIZE) return;
      this.entries.delete(secret);
    }
  }

  /** Drops a key at once, because this process has just revoked it. */
  evict(apiKeyId: string): void {
    this.generation += 1;
    for (const [secret, { found }] of this.entries) {
      if (found.id === apiKeyId) this.entries.delete(secret);
    }
  }
}
