// Reads what hunet.watch.packing wrote: a header, and columns of whole numbers as differences in 7 bits per byte.

async function readData() {
  const text = atob(document.getElementById("data").textContent);
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const whole = new Uint8Array(await new Response(stream).arrayBuffer());
  const headLength = new DataView(whole.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(whole.subarray(4, 4 + headLength)));
  const body = whole.subarray(4 + headLength);
  const column = (name, Kind = Int32Array) => {
    const [begin, count] = header.columns[name] ?? [0, 0];
    return readColumn(body, begin, new Kind(count));
  };
  return { header, column };
}

function readColumn(bytes, at, out) {
  let value = 0;
  for (let i = 0; i < out.length; i++) {
    let step = 0;
    let scale = 1;
    let byte = bytes[at++];
    while (byte > 127) {
      step += (byte - 128) * scale;
      scale *= 128;
      byte = bytes[at++];
    }
    step += byte * scale;
    value += step % 2 ? -(step + 1) / 2 : step / 2;
    out[i] = value;
  }
  return out;
}

// How many of the sorted numbers are at most `limit`.
function countUpTo(sorted, limit, from = 0, to = sorted.length) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle] <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

// Rows by a key: those of key k are rows[first[k]] ... rows[first[k + 1] - 1], in their order. Keys below 0 have none.
function rowsBy(keys, count) {
  const first = new Int32Array(count + 1);
  for (const key of keys) if (key >= 0) first[key + 1]++;
  for (let k = 0; k < count; k++) first[k + 1] += first[k];
  const rows = new Int32Array(first[count]);
  const next = first.slice();
  keys.forEach((key, row) => {
    if (key >= 0) rows[next[key]++] = row;
  });
  return { first, rows };
}
