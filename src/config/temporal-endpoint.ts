import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { loadClientConfigProfile, toClientOptions, type ClientConnectConfig } from '@temporalio/envconfig';
import { omitUndefined } from '../schemas/omit-undefined';
import { readConfig, type Setting } from './read-config';
import { ConfigurationError, IncompleteConfigurationError } from './configuration-error';
import { errorMessage } from '../domain/errors';

/** Temporal's own variables that say where a server is and how to log in. Its SDKs and its CLI read the same. */
const VARIABLES = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_DATA',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_DATA',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_PROFILE',
] as const satisfies readonly Setting[];
const HEADER = /^TEMPORAL_GRPC_META_/;

type Environment = Readonly<Record<string, string | undefined>>;
type TlsOptions = NonNullable<ClientConnectConfig['connectionOptions']['tls']>;
/** Options of `createTemporalClient`. */
interface Endpoint {
  /** host:port */
  address: string;
  namespace: string;
  tls?: TlsOptions;
  apiKey?: string;
  metadata?: Record<string, string>;
}

/**
 * Returns the Temporal server configured by the environment, or by the profile that it names. A profile's file is read
 * only if TEMPORAL_CONFIG_FILE or TEMPORAL_PROFILE is set, so that a service never takes its server from a home
 * directory.
 *
 * @returns undefined if none is configured
 * @throws ConfigurationError that names what is missing or invalid, never a secret
 */
export function readTemporalEndpoint(environment: Environment = process.env): Endpoint | undefined {
  const variables = temporalVariables(environment);
  const { address, namespace = 'default', ...others } = load(variables, environment);
  if (address === undefined) {
    const needless = Object.keys(variables).filter((name) => name !== 'TEMPORAL_NAMESPACE');
    if (needless.length === 0) return undefined;
    throw new ConfigurationError(`TEMPORAL_ADDRESS is not set, but ${needless.join(', ')} is.`);
  }
  return { address, namespace, ...others };
}

/** @throws ConfigurationError if the endpoint is invalid or not configured, for a process that needs Temporal */
export function requireTemporalEndpoint(environment: Environment = process.env): Endpoint {
  const endpoint = readTemporalEndpoint(environment);
  if (endpoint !== undefined) return endpoint;
  throw new IncompleteConfigurationError(['TEMPORAL_ADDRESS is not set']);
}

/**
 * Returns the variables that are set, with their values. An API key from a file is returned in its own variable.
 *
 * @throws ConfigurationError naming each that is invalid
 */
export function temporalVariables(environment: Environment = process.env): Record<string, string> {
  const set: Record<string, string> = omitUndefined(readConfig(VARIABLES, environment));
  for (const [name, value] of Object.entries(environment)) {
    if (HEADER.test(name) && value !== undefined) set[name] = value;
  }
  return set;
}

function load(variables: Record<string, string>, environment: Environment): Partial<Endpoint> {
  const { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: name } = variables;
  if (file !== undefined && !existsSync(file)) {
    throw new ConfigurationError('TEMPORAL_CONFIG_FILE names a file that does not exist.');
  }
  try {
    const profile = loadClientConfigProfile({
      disableFile: file === undefined && name === undefined,
      configFileStrict: true,
      overrideEnvVars: { ...(name !== undefined && homeOf(environment)), ...variables },
    });
    if ((profile.tls?.clientCert === undefined) !== (profile.tls?.clientKey === undefined)) {
      throw new Error('a client certificate and its key are set together or not at all');
    }
    const { address, namespace, apiKey, grpcMeta: metadata } = profile;
    refuseBrokenHeaders(apiKey, metadata);
    // Reads the certificates. An API key turns TLS on.
    const tls = toClientOptions(profile).connectionOptions.tls ?? undefined;
    if (typeof tls === 'object') refuseUnusableCertificates(tls);
    return omitUndefined({ address, namespace, apiKey, metadata, tls });
  } catch (error) {
    // If a file cannot be parsed, the error quotes it from the second line on.
    const [why] = errorMessage(error).split('\n');
    throw new ConfigurationError(`The settings of Temporal cannot be used: ${why ?? ''}`);
  }
}

/** Rejects headers that gRPC cannot send, such as an API key of two lines, because it would quote them in its error. */
function refuseBrokenHeaders(apiKey = '', metadata: Record<string, string> = {}): void {
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw new Error('the API key has a character other than visible ASCII, such as a line end or a space');
  }
  for (const [name, value] of Object.entries(metadata)) {
    if (/^[\w.-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value)) continue;
    throw new Error(`the header "${name}" (TEMPORAL_GRPC_META_…) has a character other than printable ASCII`);
  }
}

/**
 * Rejects what is not PEM, and a key of another certificate. The client would quote OpenSSL in its error, or trust
 * nobody and wait, as if Temporal were down.
 */
function refuseUnusableCertificates({
  clientCertPair,
  serverRootCACertificate: authority,
}: Exclude<TlsOptions, boolean>): void {
  try {
    if (authority !== undefined) readAuthorities(Buffer.from(authority).toString('latin1'));
  } catch (error) {
    throw new Error(
      `the server's authority (TEMPORAL_TLS_SERVER_CA_CERT_…) is no certificate: ${errorMessage(error)}`,
      { cause: error },
    );
  }
  if (clientCertPair === undefined) return;
  try {
    const [cert, key] = [clientCertPair.crt, clientCertPair.key].map((bytes) => Buffer.from(bytes));
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(
      `the client certificate (TEMPORAL_TLS_CLIENT_CERT_…) and its key (TEMPORAL_TLS_CLIENT_KEY_…) are not PEM, or do not belong together: ${errorMessage(error)}`,
      { cause: error },
    );
  }
}

/**
 * Checks each certificate, in PEM as the client needs it. `X509Certificate` alone would also accept DER, and reads only
 * the first of several.
 */
function readAuthorities(text: string): void {
  const authorities = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g);
  if (authorities === null) throw new Error('PEM is needed, with BEGIN CERTIFICATE');
  for (const authority of authorities) void new X509Certificate(authority);
}

/** Returns the variables by which the SDK finds a profile's file that TEMPORAL_CONFIG_FILE does not name. */
function homeOf(environment: Environment): Record<string, string> {
  const names = ['HOME', 'XDG_CONFIG_HOME', 'APPDATA'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
