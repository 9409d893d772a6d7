import { useForm, type UseFormReturnType } from '@mantine/form';
import type { Connection } from '../../api/resources';

/** Settings of a connection that the console edits, apart from the plan references. */
const SETTINGS = ['merchantId', 'accountId', 'returnUrl'] as const;

export interface ConnectionValues {
  provider: Connection['provider'];
  displayName: string;
  /** By name; an empty one keeps the stored secret. */
  secrets: Record<string, string>;
  settings: Record<(typeof SETTINGS)[number], string>;
  /** A plan by its id or slug, with the provider's reference of it. */
  references: { plan: string; reference: string }[];
}

export type ConnectionForm = UseFormReturnType<ConnectionValues>;

/** Names of each step's fields, for its validation and for errors returned by the API. */
const FIELDS_OF_STEP: RegExp[] = [/^(provider|displayName)$/, /^secrets\b/, /^(settings|references)\b/];

export function useConnectionForm(connection: Connection | null): ConnectionForm {
  return useForm<ConnectionValues>({
    initialValues: {
      provider: connection?.provider ?? 'provider_a',
      displayName: connection?.displayName ?? '',
      secrets: {},
      settings: {
        merchantId: textOf(connection?.settings['merchantId']),
        accountId: textOf(connection?.settings['accountId']),
        returnUrl: textOf(connection?.settings['returnUrl']),
      },
      references: Object.entries(storedReferences(connection)).map(([plan, reference]) => ({
        plan,
        reference: textOf(reference),
      })),
    },
    validate: {
      displayName: (value) => (value.trim() === '' ? 'Fill this in.' : null),
      references: {
        plan: (value, { references }) =>
          value === ''
            ? 'Choose the plan.'
            : references.filter(({ plan }) => plan === value).length > 1
              ? 'This plan is listed twice.'
              : null,
        reference: (value) => (value.trim() === '' ? 'Fill this in, or remove the row.' : null),
      },
    },
  });
}

/** Returns the first step with an error; undefined if there is none. */
export function stepOf(errors: Record<string, unknown>): number | undefined {
  const wrong = Object.keys(errors);
  const step = FIELDS_OF_STEP.findIndex((fields) => wrong.some((name) => fields.test(name)));
  return step === -1 ? undefined : step;
}

/** Returns the secrets entered. A line break pasted with one is removed. */
export function enteredSecrets({ secrets }: ConnectionValues): Record<string, string> {
  const trimmed = Object.entries(secrets).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ''));
}

/** Returns the settings that differ from the stored ones; null removes one. */
export function changedSettings(
  connection: Connection | null,
  { settings, references }: ConnectionValues,
): Record<string, string | null> & { planReferences?: Record<string, string> } {
  const single = SETTINGS.filter((name) => settings[name].trim() !== textOf(connection?.settings[name])).map(
    (name) => [name, settings[name].trim() === '' ? null : settings[name].trim()] as const,
  );
  const wanted = Object.fromEntries(references.map(({ plan, reference }) => [plan, reference.trim()]));
  const isSame = sorted(wanted) === sorted(storedReferences(connection));
  return Object.assign(Object.fromEntries(single), isSame ? {} : { planReferences: wanted });
}

function storedReferences(connection: Connection | null): Record<string, unknown> {
  const stored = connection?.settings['planReferences'];
  return typeof stored === 'object' && stored !== null ? { ...stored } : {};
}

function sorted(references: Record<string, unknown>): string {
  return JSON.stringify(Object.entries(references).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
