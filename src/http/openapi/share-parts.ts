import { isDeepStrictEqual } from 'node:util';
import type { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;
type Operation = NonNullable<NonNullable<OpenApiDocument['paths']>[string]['get']>;
type Response = NonNullable<NonNullable<OpenApiDocument['components']>['responses']>[string];
type Parameter = NonNullable<Operation['parameters']>[number];

/** Parameters that have the same form on many routes. */
const SHARED_PARAMETERS: ReadonlySet<string> = new Set(['id', 'take', 'cursor']);
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const PENDING = 'OperationPending';

/**
 * Moves parts that the generator repeats at each route into components: the parameters of lists and of `/things/{id}`,
 * and the 202 of commands. A parameter with the same name but a different form stays with its route.
 */
export function shareParts(document: OpenApiDocument): OpenApiDocument {
  const components = (document.components ??= {});
  const parameters = (components.parameters ??= {});
  const responses = (components.responses ??= {});
  for (const operation of operationsOf(document)) {
    operation.parameters = (operation.parameters ?? []).map((parameter: Parameter) => {
      if ('$ref' in parameter || !SHARED_PARAMETERS.has(parameter.name)) return parameter;
      const shared = (parameters[parameter.name] ??= parameter);
      if (!isDeepStrictEqual(shared, parameter)) return parameter;
      return { $ref: `#/components/parameters/${parameter.name}` };
    });
    const accepted = operation.responses?.['202'] as Response | undefined;
    if (accepted === undefined || !isOperation(accepted)) continue;
    responses[PENDING] ??= accepted;
    if (isDeepStrictEqual(responses[PENDING], accepted)) {
      operation.responses = { ...operation.responses, 202: { $ref: `#/components/responses/${PENDING}` } };
    }
  }
  return document;
}

function operationsOf({ paths = {} }: OpenApiDocument): Operation[] {
  return Object.values(paths).flatMap((path) => METHODS.flatMap((method) => path[method] ?? []));
}

function isOperation(response: Response): boolean {
  return JSON.stringify(response).includes('"#/components/schemas/Operation"');
}
