import createClient from 'openapi-fetch';
import { fetchWhole } from './fetch-whole';
import { isWholeAnswer, readProblem } from './problem';
import { rememberRequest } from './recent-requests';
import type { paths } from './schema';
import { stepUp } from './step-up';

/**
 * Client of the console host's API, with the types of its OpenAPI document. A failure is thrown as a `ProblemError`.
 */
export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: fetchWhole });

api.use({
  onRequest({ request }) {
    void rememberRequest(request.clone());
  },
  async onResponse({ request, response }) {
    if (!response.ok || !(await isWholeAnswer(response, request))) throw await readProblem(response, request);
  },
});

// Registered last, so that it sees an answer before a refusal is thrown.
api.use(stepUp);

/** Returns the body of an answer. Failures have been thrown. */
export async function bodyOf<Body>(answer: Promise<{ data?: Body; response: Response }>): Promise<Body> {
  const { data, response } = await answer;
  // Of a request that writes: one that reads has been checked.
  if (data === undefined) throw await readProblem(response, { method: 'POST', url: window.location.href });
  return data;
}
