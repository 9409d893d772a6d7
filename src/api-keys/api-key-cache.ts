import type { Instant } from '../domain/instant';
import type { FoundApiKey } from './api-key-store';

/** A revocation takes effect within this time in every process; the promise is five seconds. */
const CACHE_MS = 3_000;
/** Keys are bounded by what integrators hold; guesses never enter the cache. */
const CACHE_SIZE = 10_000;

/** Keys that were just found, by hash, so that a busy key is not looked up for every call. */
export class ApiKeyCache {
  private readonly entries = new Map<string, { found: FoundApiKey; until: Instant }>();
  /** Grows with each eviction: what was read before one may not enter after it. */
  private generation = 0;

  get(hash: string, now: Instant): FoundApiKey | undefined {
    const entry = this.entries.get(hash);
    // A clock that was set back must not stretch an entry's life.
    if (entry === undefined || now >= entry.until || now < entry.until - CACHE_MS) return undefined;
    return entry.found;
  }

  /** Reads through `load`, and keeps what it finds unless a key was evicted in the meantime. */
  async load(
    hash: string,
    now: Instant,
    load: () => Promise<FoundApiKey | undefined>,
  ): Promise<FoundApiKey | undefined> {
    const { generation } = this;
    const found = await load();
    this.entries.delete(hash);
    if (found === undefined || generation !== this.generation) return found;
    if (this.entries.size >= CACHE_SIZE) this.entries.delete(this.entries.keys().next().value ?? '');
    this.entries.set(hash, { found, until: now + CACHE_MS });
    return found;
  }

  /** Forgets a key at once: this process has just revoked it. */
  evict(apiKeyId: string): void {
    this.generation += 1;
    for (const [hash, { found }] of this.entries) {
      if (found.id === apiKeyId) this.entries.delete(hash);
    }
  }
}
