import { internalProvider } from './internal/internal-provider';
import type { Providers } from './provider';

/** Every adapter of this build. */
export function createProviders(): Providers {
  return { internal: internalProvider };
}
