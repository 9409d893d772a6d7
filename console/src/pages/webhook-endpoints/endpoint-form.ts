import type { UseFormReturnType } from '@mantine/form';
import type { WebhookEndpoint } from '../../api/resources';
import { choosable, type WebhookType } from './webhook-types';

export interface EndpointValues {
  url: string;
  description: string;
  takes: 'all' | 'chosen';
  types: WebhookType[];
}
export type EndpointForm = UseFormReturnType<EndpointValues>;

/** Options of the form. @param endpoint null for a new one */
export function endpointForm(endpoint: WebhookEndpoint | null) {
  const types = endpoint?.types ?? null;
  const initialValues: EndpointValues = {
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    takes: types === null ? 'all' : 'chosen',
    types: choosable(types ?? []),
  };
  return {
    initialValues,
    validate: {
      url: (value: string) =>
        URL.canParse(value.trim()) ? null : 'Enter an address such as https://app.example.com/webhooks.',
      types: (types: WebhookType[], { takes }: EndpointValues) =>
        takes === 'chosen' && types.length === 0 ? 'Choose what is sent here.' : null,
    },
  };
}

/** The members of an endpoint, as the API takes them. */
export function endpointBody({ url, description, takes, types }: EndpointValues) {
  return {
    url: url.trim(),
    description: description.trim(),
    types: takes === 'all' ? null : types,
  };
}
