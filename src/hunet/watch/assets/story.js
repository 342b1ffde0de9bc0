// What happened: the network, the messages, and for each run who had which message when. Nothing here draws.

const FORWARD = 0, DELIVERY = 1, DROP = 2, RELEASE = 3, PROMOTED = 4, DEMOTED = 5;

function makeStory({ header, column }) {
  const { clock } = header;
  const story = {
    ...header,
    end: Math.round((clock.end - clock.begin) / clock.tick),
    seconds: (ticks) => ticks * clock.tick,
    moment: (ticks) => clock.begin + ticks * clock.tick,
    count: header.nodes.length,
    group: column("group"),
    bars: { ...header.bars, values: column("bars") },
    contacts: { a: column("a"), b: column("b"), start: column("start"), lasts: column("lasts") },
    close: { a: column("closeA"), b: column("closeB") },
    plays: [],
  };
  const { a, b } = story.contacts;
  const ends = new Int32Array(2 * a.length); // the second half are the same contacts, seen from b
  ends.set(a);
  ends.set(b, a.length);
  const both = rowsBy(ends, story.count);
  story.contactsOf = (node) => both.rows.subarray(both.first[node], both.first[node + 1]).map((row) => row % a.length);
  story.place = header.metres ? makePositions(story, column) : makeLayout(column);
  if (header.plays) {
    story.messages = makeMessages(story, column);
    story.plays = header.plays.map((play, i) => makePlay(story, column, play, i));
  }
  return story;
}

// Whom a node is with, how often it met others so far, and whom it met most.
function company(story, node, t) {
  const { a, b, start, lasts } = story.contacts;
  const met = new Map();
  const now = new Set();
  let contacts = 0;
  for (const row of story.contactsOf(node)) {
    if (start[row] > t) continue;
    const other = a[row] === node ? b[row] : a[row];
    met.set(other, (met.get(other) ?? 0) + 1);
    contacts++;
    if (start[row] + lasts[row] >= t) now.add(other);
  }
  const most = [...met].sort((one, two) => two[1] - one[1] || one[0] - two[0]);
  return { contacts, people: met.size, most, now: [...now].sort((one, two) => one - two) };
}

function makeLayout(column) {
  const x = column("x"), y = column("y");
  return { metres: null, at: (node) => [x[node] / 10000, y[node] / 10000] };
}

// Where nodes were, between two positions on the straight way; before the first and after the last they stand still.
function makePositions(story, column) {
  const node = column("positionNode"), at = column("positionAt"), x = column("positionX"), y = column("positionY");
  const first = new Int32Array(story.count + 1);
  for (const one of node) first[one + 1]++;
  for (let i = 0; i < story.count; i++) first[i + 1] += first[i];
  return {
    metres: story.metres,
    at: (one, t) => {
      const begin = first[one], end = first[one + 1];
      if (begin === end) return null; // nobody knows where it was
      const next = countUpTo(at, t, begin, end);
      const i = Math.max(begin, next - 1), j = Math.min(end - 1, next);
      const share = at[j] > at[i] ? Math.min(1, Math.max(0, (t - at[i]) / (at[j] - at[i]))) : 0;
      return [(x[i] + share * (x[j] - x[i])) / 10, (y[i] + share * (y[j] - y[i])) / 10];
    },
  };
}

function makeMessages(story, column) {
  const source = column("source"), created = column("created"), expires = column("expires"), size = column("size", Float64Array);
  const number = column("number"), tagCount = column("tagCount"), tagOf = column("tagOf");
  const wants = { node: column("wantsNode"), tag: column("wantsTag"), from: column("wantsFrom"), until: column("wantsUntil") };
  const count = source.length;
  const tagFirst = new Int32Array(count + 1);
  for (let m = 0; m < count; m++) tagFirst[m + 1] = tagFirst[m] + tagCount[m];
  const wantsByTag = rowsBy(wants.tag, story.tags.length);
  const wantsByNode = rowsBy(wants.node, story.count);
  const byTag = story.tags.map(() => []);
  for (let m = 0; m < count; m++) for (let i = tagFirst[m]; i < tagFirst[m + 1]; i++) byTag[tagOf[i]].push(m);
  const messages = { count, source, created, expires, size, byTag };
  messages.name = (m) => story.messageNames[m] ?? `#${number[m]}`;
  messages.tags = (m) => tagOf.subarray(tagFirst[m], tagFirst[m + 1]);
  const rowsOfTag = (tag) => wantsByTag.rows.subarray(wantsByTag.first[tag], wantsByTag.first[tag + 1]);
  // Nodes other than its source that want one of its tags at some time while it lives.
  messages.wantedBy = (m) => {
    const found = new Set();
    for (const tag of messages.tags(m)) {
      for (const row of rowsOfTag(tag)) {
        if (wants.from[row] <= expires[m] && wants.until[row] > created[m] && wants.node[row] !== source[m]) found.add(wants.node[row]);
      }
    }
    return found;
  };
  const open = (row, t) => wants.from[row] <= t && (t < wants.until[row] || wants.until[row] > story.end);
  messages.fansOf = (tag, t) => new Set([...rowsOfTag(tag)].filter((row) => open(row, t)).map((row) => wants.node[row]));
  messages.wishesOf = (node, t) => {
    const rows = [...wantsByNode.rows.subarray(wantsByNode.first[node], wantsByNode.first[node + 1])];
    return [...new Set(rows.filter((row) => open(row, t)).map((row) => wants.tag[row]))].sort((one, two) => one - two);
  };
  return messages;
}

function makePlay(story, column, about, i) {
  const at = column(`at${i}`), kind = column(`kind${i}`), message = column(`message${i}`), from = column(`from${i}`), to = column(`to${i}`);
  const { messages } = story;
  const elected = (row) => kind[row] >= PROMOTED;
  const byMessage = rowsBy(message.map((m, row) => (elected(row) ? -1 : m)), messages.count);
  const where = kind.map((k, row) => (k === DROP || k === RELEASE ? from[row] : to[row]));
  const byNode = rowsBy(where, story.count);
  const bornAt = rowsBy(messages.source, story.count);
  const rowsOf = (m) => byMessage.rows.subarray(byMessage.first[m], byMessage.first[m + 1]);
  const play = { ...about, at, kind, message, from, to };
  play.curves = Object.fromEntries(["delivered", "wanted", "copies", "sent"].map((name) => [name, column(`${name}${i}`, Float64Array)]));

  // The state of every node towards a message.
  play.spread = (m, t) => {
    const state = new Uint8Array(story.count);
    const { source, created, expires } = messages;
    if (created[m] > t) return state;
    for (const node of messages.wantedBy(m)) state[node] = WAITS;
    if (source[m] >= 0) state[source[m]] = SOURCE;
    const carries = new Set(source[m] >= 0 ? [source[m]] : []);
    for (const row of rowsOf(m)) {
      if (at[row] > t) break;
      if (kind[row] === DELIVERY) state[to[row]] = GOT;
      else if (kind[row] === FORWARD) state[to[row]] = CARRIES;
      else if (state[from[row]] === CARRIES) state[from[row]] = kind[row] === DROP ? DROPPED : LET_GO;
      if (kind[row] <= DELIVERY) carries.add(to[row]);
      else carries.delete(from[row]);
    }
    state.copies = t >= expires[m] ? 0 : carries.size;
    if (t >= expires[m]) state.forEach((one, node) => { if (one === CARRIES) state[node] = EXPIRED; });
    return state;
  };

  // Every hop of a message: from whom to whom, when, whether it was wanted, and until when the copy stayed.
  play.hops = (m) => {
    const { source, created, expires } = messages;
    const over = Math.min(expires[m], story.end);
    const first = { node: source[m], parent: null, at: created[m], until: over, wanted: false, giver: source[m], children: [] };
    const latest = new Map([[source[m], first]]);
    const all = [first];
    for (const row of rowsOf(m)) {
      if (kind[row] <= DELIVERY) {
        const parent = latest.get(from[row]) ?? first;
        const hop = { node: to[row], parent, at: at[row], until: over, wanted: kind[row] === DELIVERY, giver: from[row], children: [] };
        parent.children.push(hop);
        latest.set(to[row], hop);
        all.push(hop);
      } else if (latest.has(from[row])) latest.get(from[row]).until = at[row];
    }
    return all;
  };

  // The messages that a node carries, oldest first.
  play.buffer = (node, t) => {
    const held = new Set();
    const born = bornAt.rows.subarray(bornAt.first[node], bornAt.first[node + 1]);
    let next = 0;
    const publish = (until) => {
      for (; next < born.length && messages.created[born[next]] <= until; next++) held.add(born[next]);
    };
    for (let i = byNode.first[node]; i < byNode.first[node + 1]; i++) {
      const row = byNode.rows[i];
      if (at[row] > t) break;
      publish(at[row]);
      if (kind[row] <= DELIVERY) held.add(message[row]);
      else if (kind[row] <= RELEASE) held.delete(message[row]);
    }
    publish(t);
    return [...held].filter((m) => messages.expires[m] > t).sort((one, two) => one - two);
  };

  const elections = kind.some((one) => one >= PROMOTED);
  play.isBroker = (node, t) => {
    if (!elections) return null;
    let broker = false;
    for (let i = byNode.first[node]; i < byNode.first[node + 1] && at[byNode.rows[i]] <= t; i++) {
      if (elected(byNode.rows[i])) broker = kind[byNode.rows[i]] === PROMOTED;
    }
    return broker;
  };

  const heard = { at: column(`heardAt${i}`), node: column(`heardNode${i}`), tag: column(`heardTag${i}`), strength: column(`heardStrength${i}`) };
  const heardBy = rowsBy(heard.node, story.count);
  play.instants = [...new Set(heard.at)];
  // What a node's filter answered for when it was last looked at: null before that, or where the log does not know.
  play.heard = (node, t) => {
    const seen = countUpTo(play.instants, t);
    if (!seen) return null;
    const rows = [...heardBy.rows.subarray(heardBy.first[node], heardBy.first[node + 1])];
    const when = play.instants[seen - 1];
    return { when, tags: rows.filter((row) => heard.at[row] === when).map((row) => ({ tag: heard.tag[row], strength: heard.strength[row] })) };
  };

  // Of a tag: how many of its messages each node wanted and got so far, and how many it carries.
  play.spreadOfTag = (tag, t) => {
    const got = new Int32Array(story.count), wanted = new Int32Array(story.count), carried = new Int32Array(story.count);
    for (const m of messages.byTag[tag]) {
      if (messages.created[m] > t) continue;
      const state = play.spread(m, t);
      const alive = messages.expires[m] > t;
      state.forEach((one, node) => {
        if (one === GOT) got[node]++;
        if (one === GOT || one === WAITS) wanted[node]++;
        if (alive && (one === CARRIES || one === SOURCE)) carried[node]++;
      });
    }
    return { got, wanted, carried };
  };
  return play;
}
