import type { FormErrors } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { invalidate } from '../../api/invalidate';
import { problemOf, refreshIfOutdated } from '../../api/problem';
import type { Connection } from '../../api/resources';
import { stepUpAfter } from '../../api/step-up';
import { useWorkspace } from '../../app/workspace';
import { fieldErrors } from '../../ui/field-errors';
import {
  editedReferences,
  editedSettings,
  enteredSecrets,
  referencesWith,
  stepOf,
  type ConnectionForm,
  type ConnectionValues,
} from './connection-form';
import { CONNECTION_VIEWS, refreshConnections } from './queries';

/** Refusals of an entered secret that name no field. */
const SECRET_CODES = ['secret_wrong_environment', 'key_unavailable', 'credential_corrupt'];
const CREDENTIALS_STEP = 1;

/**
 * Stores the input. A refusal is shown at its field, in the step that contains it.
 *
 * @param connection null creates a new one
 */
export function useSaveConnection(
  connection: Connection | null,
  form: ConnectionForm,
  goTo: (step: number) => void,
  onSaved: () => void,
) {
  const { query } = useWorkspace();
  const queries = useQueryClient();
  const read = (id: string) =>
    bodyOf(api.GET('/api/provider-connections/{id}', { params: { query, path: { id } } }));
  return useMutation({
    mutationFn: async (values: ConnectionValues) => {
      const { provider } = values;
      const displayName = values.displayName.trim();
      const secrets = enteredSecrets(values);
      // Compared with the form as it was opened: what another operator has changed since is kept.
      const before = form.getInitialValues();
      const references = editedReferences(before, values);
      const changesTo = (stored: Connection | null) => {
        const settings = Object.assign(
          editedSettings(before, values),
          Object.keys(references).length > 0 && { planReferences: referencesWith(stored, references) },
        );
        return {
          ...(Object.keys(secrets).length > 0 && { secrets }),
          ...(Object.keys(settings).length > 0 && { settings }),
        };
      };
      if (connection === null) {
        const body = { provider, displayName, ...changesTo(null) };
        return bodyOf(api.POST('/api/provider-connections', { params: { query }, body }));
      }
      const { id } = connection;
      const changes = async () => ({
        ...(displayName !== before.displayName && { displayName }),
        ...changesTo(Object.keys(references).length > 0 ? await read(id) : connection),
      });
      const [body, middleware] = [await changes(), [stepUpAfter(changes)]];
      const params = { query, path: { id } };
      return bodyOf(api.PATCH('/api/provider-connections/{id}', { params, body, middleware }));
    },
    // The lists are not awaited: the next step is shown at once, however long they take.
    onSuccess: () => {
      form.setFieldValue('secrets', {});
      onSaved();
      void refreshConnections(queries);
      void invalidate(queries, [['setup']]);
    },
    onError: (error) => {
      refreshIfOutdated(queries, error, CONNECTION_VIEWS);
      const errors = byRow(fieldErrors(error), form.getValues());
      form.setErrors(errors);
      const step = SECRET_CODES.includes(problemOf(error).code) ? CREDENTIALS_STEP : stepOf(errors);
      if (step !== undefined) goTo(step);
    },
    // The variables contain secrets, which must not be kept once the dialog closes.
    gcTime: 0,
  });
}

/** Moves errors of plan references to the plans' rows. */
function byRow(errors: FormErrors, { references }: ConnectionValues): FormErrors {
  const rows = references.map(({ plan }) => `settings.planReferences.${plan}`);
  return Object.fromEntries(
    Object.entries(errors).map(([name, words]) => {
      const row = rows.indexOf(name);
      return [row === -1 ? name : `references.${row}.reference`, words];
    }),
  );
}
