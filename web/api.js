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

export async function post(path, body) {
  return request(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

export async function remove(path, token) {
  return request(path, { method: "DELETE", headers: { Authorization: `Bearer ${token}` } });
}

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
