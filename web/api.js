// The relay's JSON. Errors arrive as problems with a hint.

export class Problem extends Error {
  constructor({ title, detail, hint, status }) {
    super(detail || title);
    this.hint = hint || "";
    this.status = status;
  }
}

export async function get(path) {
  return request(path, { headers: { Accept: "application/json" } });
}

export async function getText(path) {
  const response = await reach(path, {});
  if (!response.ok) throw await problem(response);
  return response.text();
}

/** @param token of a radio that asks submitters for one; "" sends none. */
export async function post(path, body, token = "") {
  const headers = { "Content-Type": "application/json", ...bearer(token) };
  return request(path, { method: "POST", headers, body: JSON.stringify(body) });
}

export async function remove(path, token) {
  return request(path, { method: "DELETE", headers: bearer(token) });
}

/** A header holds Latin letters alone: a token of others is sent as it would be spelt in an address, and refused. */
const bearer = (token) => (token ? { Authorization: `Bearer ${/^[\x20-\xff]*$/.test(token) ? token : encodeURIComponent(token)}` } : {});

async function request(path, options) {
  const response = await reach(path, options);
  if (!response.ok) throw await problem(response);
  return response.status === 204 ? null : response.json();
}

async function reach(path, options) {
  try {
    return await fetch(path, { cache: "no-store", ...options });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Problem({ detail: "The radio cannot be reached.", hint: "Check the connection, then try again.", status: 0 });
  }
}

async function problem(response) {
  const type = response.headers.get("Content-Type") || "";
  const told = type.includes("json") ? await response.json() : {};
  return new Problem({ title: `The radio answered ${response.status}.`, ...told, status: response.status });
}
