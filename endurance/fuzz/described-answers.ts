import { readFile } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import type { Answer } from './exchange';

const media = z.object({ schema: z.unknown() });
const response = z.object({ $ref: z.string().optional(), content: z.record(z.string(), media).optional() });
const responses = z.object({ responses: z.record(z.string(), response) });
const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** Returns why the document does not describe an answer for a route; undefined if it does. */
export type JudgeAnswer = (
  route: { method: string; path: string },
  answer: Pick<Answer, 'status' | 'contentType' | 'body'>,
) => string | undefined;

/** Returns a judge of a host's answers that uses its OpenAPI document, `docs/openapi/<name>.json`. */
export async function describedAnswers(name: 'console' | 'api'): Promise<JudgeAnswer> {
  const described = document.parse(JSON.parse(await readFile(`docs/openapi/${name}.json`, 'utf8')));
  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  addFormats(ajv);
  ajv.addSchema(described, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const validator = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  return ({ method, path }, { status, contentType, body }) => {
    const verb = method.toLowerCase();
    const operation = responses.safeParse(described.paths[path]?.[verb]);
    const found = operation.data?.responses[status];
    if (found === undefined)
      return `status ${status}, which the document does not have: ${body.slice(0, 300)}`;
    const at = found.$ref?.slice(1) ?? `/paths/${escaped(path)}/${verb}/responses/${status}`;
    const content = found.$ref === undefined ? found.content : contentOf(described, found.$ref);
    const [type = ''] = contentType.split(';');
    if (content === undefined)
      return body === '' ? undefined : `a body where the document has none: ${body.slice(0, 300)}`;
    if (content[type] === undefined) return `a body as "${contentType}", which the document does not have`;
    // NDJSON is not a single JSON text.
    if (!type.endsWith('json') || type === 'application/x-ndjson') return undefined;
    const validate = validator(`${at}/content/${escaped(type)}/schema`);
    if (validate(JSON.parse(body))) return undefined;
    return `an answer of ${status} outside its schema: ${ajv.errorsText(validate.errors)}: ${body.slice(0, 300)}`;
  };
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

function contentOf(described: object, ref: string): Record<string, unknown> | undefined {
  const found = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], described);
  return response.parse(found).content;
}
