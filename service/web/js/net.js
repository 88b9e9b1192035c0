// Requests to the service; every refusal becomes an Error with the service's own one line.

async function taken(response) {
  const data = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(data.error || `${response.status}`), {status: response.status, rule: data.rule});
  return data;
}

export const get = async (path) => taken(await fetch(path));

export const post = async (path, body = {}) =>
  taken(await fetch(path, {method: "POST", headers: {"content-type": "application/json", "x-safari-table": "1"}, body: JSON.stringify(body)}));

export const send = async (path, blob) =>
  taken(await fetch(path, {method: "POST", headers: {"content-type": "application/octet-stream", "x-safari-table": "1"}, body: blob}));
