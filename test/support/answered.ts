/** Sends a request again, as a caller does, that had to wait too long for a connection to a loaded Postgres. */
export async function answered<Answer extends { body: Record<string, unknown> }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.body['code'] !== 'service_unavailable') return answer;
  }
}
