// The node's HTTP door: requests, and what comes by itself. The token stands behind the # of the address and goes nowhere
// but into a header of requests to this very address.

const token = decodeURIComponent(location.hash.slice(1));

export const hasToken = token !== "" && token !== "main";

export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function request(method, path, body) {
  const headers = { Authorization: `Bearer ${token}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const said = await answer.json();
  if (!answer.ok) throw new Refused(answer.status, said.error);
  return said;
}

export const get = (path, parameters = {}) => {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return request("GET", given.length ? `${path}?${new URLSearchParams(given)}` : path);
};
export const post = (path, body) => request("POST", path, body);
export const remove = (path, parameters) => request("DELETE", `${path}?${new URLSearchParams(parameters)}`);

const pause = seconds => new Promise(done => setTimeout(done, 1000 * seconds));

// Calls on.message, on.change, on.alive for ever; a stream that breaks is taken up where it ended.
export async function listen(cursor, on) {
  for (let wait = 1; ; wait = Math.min(2 * wait, 15)) {
    try {
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await fetch(`/v1/stream?since=${cursor}`, { headers });
      if (!answer.ok) throw new Refused(answer.status, "the stream is closed");
      on.alive(true);
      wait = 1;
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ""; ; ) {
        const { value, done } = await reader.read();
        if (done) break;
        const events = (rest + value).split("\n\n");
        rest = events.pop();
        for (const event of events) {
          const lines = Object.fromEntries(event.split("\n").map(line => {
            const at = line.indexOf(": ");
            return [line.slice(0, at), line.slice(at + 2)];
          }));
          if (lines.id) cursor = Number(lines.id);
          if (lines.event) on[lines.event](JSON.parse(lines.data));
        }
      }
    } catch (error) {
      if (error instanceof Refused && error.status === 401) throw error;
    }
    on.alive(false);
    await pause(wait);
  }
}
