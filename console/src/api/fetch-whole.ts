/** As `fetch`, with the whole body: an answer that breaks off half-way is none, and fails as one that never came. */
export async function fetchWhole(request: Request): Promise<Response> {
  const response = await fetch(request);
  const body = await response.arrayBuffer();
  // A status such as 204 takes none, not even an empty one.
  return new Response(body.byteLength === 0 ? null : body, response);
}
