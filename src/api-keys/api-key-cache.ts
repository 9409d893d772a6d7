import type { Instant } from '../domain/instant';
import type { FoundApiKey } from './api-key-store';

/** A revocation takes effect within this time in every process; the promise is five seconds. */
const CACHE_MS = 3_000;
/** Keys are bounded by what integrators hold; guesses never enter the cache. */
const CACHE_SIZE = 10_000;

/**
 * Keys that were just found, so that a busy key is neither hashed nor looked up for every call. They stand under the
 * secret itself, as it came: the hash costs a call more than everything else about a key that is known. What has not
 * been loaded again within its time is dropped at the next load.
 */
export class ApiKeyCache {
  private readonly entries = new Map<string, { found: FoundApiKey; until: Instant }>();
  /** Grows with each eviction: what was read before one may not enter after it. */
  private generation = 0;

  get(secret: string, now: Instant): FoundApiKey | undefined {
    const entry = this.entries.get(secret);
    // A clock that was set back must not stretch an entry's life.
    if (entry === undefined || now >= entry.until || now < entry.until - CACHE_MS) return undefined;
    return entry.found;
  }

  /** Reads through `load`, and keeps what it finds unless a key was evicted in the meantime. */
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

  /** The oldest stand first. */
  private dropOld(now: Instant): void {
    for (const [secret, { until }] of this.entries) {
      if (now < until && this.entries.size < CACHE_SIZE) return;
      this.entries.delete(secret);
    }
  }

  /** Forgets a key at once: this process has just revoked it. */
  evict(apiKeyId: string): void {
    this.generation += 1;
    for (const [secret, { found }] of this.entries) {
      if (found.id === apiKeyId) this.entries.delete(secret);
    }
  }
}
