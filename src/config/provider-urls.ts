import type { PaymentProvider } from '../domain/provider';
import { readConfig, readSetting } from './read-config';
import { ConfigurationError } from './configuration-error';

type ProviderUrls = Partial<Record<PaymentProvider, string>>;

/**
 * Returns URLs of simulators that replace the payment providers' own.
 *
 * @throws ConfigurationError in production mode, where secrets are sent only to the providers
 */
export function readProviderUrls(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ProviderUrls {
  const {
    TOLLGATE_PROVIDER_A_URL: a,
    TOLLGATE_PROVIDER_B_URL: b,
    TOLLGATE_PROVIDER_C_URL: c,
  } = readConfig(
    ['TOLLGATE_PROVIDER_A_URL', 'TOLLGATE_PROVIDER_B_URL', 'TOLLGATE_PROVIDER_C_URL'],
    environment,
  );
  if ([a, b, c].some((url) => url !== undefined)) {
    refuseInProduction('TOLLGATE_PROVIDER_A_URL, _B_URL and _C_URL are', environment);
  }
  return {
    ...(a !== undefined && { provider_a: a }),
    ...(b !== undefined && { provider_b: b }),
    ...(c !== undefined && { provider_c: c }),
  };
}

/**
 * Returns the URL at which the simulators are controlled, so that their clock follows the sandbox's.
 *
 * @throws ConfigurationError in production mode
 */
export function readSimulatorControl(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const control = readSetting('TOLLGATE_SIMULATOR_CONTROL_URL', environment);
  if (control !== undefined) refuseInProduction('TOLLGATE_SIMULATOR_CONTROL_URL is', environment);
  return control;
}

function refuseInProduction(
  settings: string,
  environment: Readonly<Record<string, string | undefined>>,
): void {
  if ((readSetting('NODE_ENV', environment) ?? 'production') !== 'production') return;
  throw new ConfigurationError(`${settings} for simulators, and refused where NODE_ENV is production.`);
}
