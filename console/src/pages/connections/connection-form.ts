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

/** Returns the settings that were edited, without the plan references; null removes one. */
export function editedSettings(
  before: ConnectionValues,
  after: ConnectionValues,
): Record<string, string | null> {
  return Object.fromEntries(
    SETTINGS.filter((name) => after.settings[name].trim() !== before.settings[name]).map((name) => [
      name,
      after.settings[name].trim() || null,
    ]),
  );
}

/** Returns the plan references that were edited, by plan; null removes one. */
export function editedReferences(
  before: ConnectionValues,
  after: ConnectionValues,
): Record<string, string | null> {
  const [old, wanted] = [referencesOf(before), referencesOf(after)];
  return Object.fromEntries(
    Object.keys({ ...old, ...wanted })
      .filter((plan) => old[plan] !== wanted[plan])
      .map((plan) => [plan, wanted[plan] ?? null]),
  );
}

function referencesOf({ references }: ConnectionValues): Record<string, string> {
  return Object.fromEntries(references.map(({ plan, reference }) => [plan, reference.trim()]));
}

/** Returns all plan references of a connection after an edit, because the API replaces them as a whole. */
export function referencesWith(
  connection: Connection | null,
  edited: Record<string, string | null>,
): Record<string, string> {
  const all = { ...storedReferences(connection), ...edited };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function storedReferences(connection: Connection | null): Record<string, unknown> {
  const stored = connection?.settings['planReferences'];
  return typeof stored === 'object' && stored !== null ? { ...stored } : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
