"use strict";
// Frames of a trajectory as spheres: a quad for each atom, whose sphere and depth the fragment shader computes (WebGL2).
(() => {
const place = document.getElementById("player"), source = document.getElementById("scene");
if (!place || !source) return;
const scene = JSON.parse(source.textContent), frames = scene.frames, WHOLE = 65535;
const $ = (name) => place.querySelector(`[data-part=${name}]`);
const canvas = $("canvas"), say = (text) => { $("info").textContent = text; };
const gl = canvas.getContext("webgl2", {antialias: true, alpha: false, preserveDrawingBuffer: true});
if (!gl) { say("This browser has no WebGL2: atoms are not shown."); place.dataset.state = "no WebGL2"; return; }

const CAMERA = `#version 300 es
precision highp float;
uniform vec3 low, span, centre; uniform mat3 turn; uniform vec2 scale, pan; uniform float deep;
vec3 seen(vec3 p) { return turn * (low + p * span - centre); }
vec4 shown(vec3 v) { return vec4((v.xy - pan) * scale, -v.z / deep, 1.0); }
`;
const LIGHT = `#version 300 es
precision highp float;
uniform float deep, cut; uniform vec3 back;
float depth(float z) { return 0.5 - 0.5 * z / deep; }
vec3 lit(vec3 colour, vec3 n, float z) {
  float shade = 0.38 + 0.62 * max(dot(n, vec3(0.36, 0.48, 0.80)), 0.0);
  float shine = pow(max(dot(n, vec3(0.19, 0.26, 0.95)), 0.0), 40.0) * 0.25;
  return mix(colour * shade + shine, back, 0.35 * clamp(0.5 - 0.62 * z / deep, 0.0, 1.0));
}
`;
function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text); gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  const at = {};
  for (let k = 0; k < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); k++) {
    const name = gl.getActiveUniform(made, k).name;
    at[name] = gl.getUniformLocation(made, name);
  }
  return {made, at, of: (name) => gl.getAttribLocation(made, name)};
}
const balls = program(`${CAMERA}
in vec3 point; in vec4 colour; uniform float size, largest; uniform int chosen[4];
out vec2 corner; out vec3 paint; out float z, radius; flat out int number;
void main() {
  corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  number = gl_InstanceID; paint = colour.rgb;
  for (int k = 0; k < 4; k++) if (chosen[k] == number) paint = vec3(1.0, 0.9, 0.1);
  radius = colour.a * largest * size;
  vec3 v = seen(point); z = v.z;
  gl_Position = shown(v + vec3(corner * radius, 0.0));
}`, `${LIGHT}
in vec2 corner; in vec3 paint; in float z, radius; flat in int number; uniform bool picking; out vec4 result;
void main() {
  float d = dot(corner, corner);
  if (d > 1.0 || z > cut) discard;
  float h = sqrt(1.0 - d), top = z + radius * h;
  gl_FragDepth = depth(top);
  int n = number + 1;
  result = picking ? vec4(n & 255, (n >> 8) & 255, (n >> 16) & 255, 255) / 255.0 : vec4(lit(paint, vec3(corner, h), top), 1.0);
}`);
const sticks = program(`${CAMERA}
in vec3 from, to; in vec4 first, second; uniform float width;
out float side, along, z; out vec3 one, other;
void main() {
  float t = float(gl_VertexID >> 1); side = float(gl_VertexID & 1) * 2.0 - 1.0;
  vec3 a = seen(from), b = seen(to), v = mix(a, b, t);
  vec2 d = b.xy - a.xy; d = length(d) > 1e-6 ? normalize(d) : vec2(1.0, 0.0);
  along = t; z = v.z; one = first.rgb; other = second.rgb;
  gl_Position = shown(v + vec3(vec2(-d.y, d.x) * side * width, 0.0));
}`, `${LIGHT}
in float side, along, z; in vec3 one, other; uniform float width; out vec4 result;
void main() {
  if (z > cut) discard;
  float h = sqrt(max(1.0 - side * side, 0.0)); gl_FragDepth = depth(z + width * h);
  result = vec4(lit(along < 0.5 ? one : other, vec3(0.0, side, h), z), 1.0);
}`);
const lines = program(`${CAMERA}
in vec3 point;
void main() { gl_Position = shown(turn * (point - centre)); }`, `#version 300 es
precision highp float;
uniform vec3 ink; out vec4 result;
void main() { result = vec4(ink, 1.0); }`);

async function opened(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
const cache = new Map(), MOST_KEPT = 3e7;
function words(bytes, at, count) {
  const found = new Uint16Array(count);
  for (let k = 0; k < count; k++) found[k] = bytes[at + k] | bytes[at + count + k] << 8;
  return found;
}
const idsOf = new Map();
async function ids(number) {
  if (!idsOf.has(number)) idsOf.set(number, new Uint32Array((await opened(scene.ids[number])).buffer));
  return idsOf.get(number);
}
async function frame(number) {
  if (cache.has(number)) return cache.get(number);
  const about = frames[number], bytes = await opened(about.data), n = about.n;
  const made = {about, n, points: words(bytes, 0, 3 * n), types: bytes.subarray(6 * n, 7 * n), values: [],
    ids: await ids(about.ids)};
  for (let k = 0; k < scene.values.length; k++) made.values.push(words(bytes, 7 * n + 2 * n * k, n));
  let kept = n;
  for (const one of cache.values()) kept += one.n;
  if (kept > MOST_KEPT) cache.clear();
  cache.set(number, made);
  return made;
}

const rgb = (code) => [0, 2, 4].map((k) => parseInt(code.slice(k, k + 2), 16));
const MAP = ["440154", "3b528b", "21918c", "5ec962", "fde725"].map(rgb);
function heat(value) {
  const at = Math.min(Math.max(value, 0), 1) * (MAP.length - 1), k = Math.min(Math.floor(at), MAP.length - 2);
  return MAP[k].map((part, j) => part + (MAP[k + 1][j] - part) * (at - k));
}
const largest = Math.max(...scene.types.map((one) => one.radius));
const view = {turn: [1, 0, 0, 0, 1, 0, 0, 0, 1], pan: [0, 0], high: 1, deep: 1, centre: [0, 0, 0], size: 1, cut: 1e30,
  mode: scene.types.some((one) => one.element) ? "element" : "type", bonds: false, box: true, number: 0, picked: []};
let shown = null, pairs = null;
const store = {};
for (const name of ["points", "colours", "bonds", "box"]) store[name] = gl.createBuffer();
function fill(name, data) { gl.bindBuffer(gl.ARRAY_BUFFER, store[name]); gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW); }

function paints(one) {
  const colours = new Uint8Array(4 * one.n), kind = scene.values.findIndex((value) => value.name === view.mode);
  const table = kind < 0 ? scene.types.map((type) => rgb(view.mode === "element" && type.element || type.colour))
    : Array.from({length: 1024}, (_, k) => heat(k / 1023));
  const radius = scene.types.map((type) => Math.round(255 * type.radius / largest));
  for (let k = 0; k < one.n; k++) {
    const type = one.types[k] - 1, paint = table[kind < 0 ? type : one.values[kind][k] >> 6];
    colours[4 * k] = paint[0]; colours[4 * k + 1] = paint[1]; colours[4 * k + 2] = paint[2]; colours[4 * k + 3] = radius[type];
  }
  return colours;
}
function position(one, k) {
  return [0, 1, 2].map((j) => scene.low[j] + scene.span[j] * one.points[3 * k + j] / WHOLE);
}
function inverse(c) {
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const rows = [c.slice(0, 3), c.slice(3, 6), c.slice(6, 9)], v = cross(rows[1], rows[2]);
  const volume = rows[0][0] * v[0] + rows[0][1] * v[1] + rows[0][2] * v[2];
  return [v, cross(rows[2], rows[0]), cross(rows[0], rows[1])].map((row) => row.map((part) => part / volume));
}
function nearest(one, d) {  // the image of a distance that is shortest
  const {cell, periodic, boxed} = one.about;
  if (!boxed) return d;
  const back = inverse(cell), turns = back.map((row, j) =>
    periodic[j] ? Math.round(row[0] * d[0] + row[1] * d[1] + row[2] * d[2]) : 0);
  return d.map((part, j) => part - turns[0] * cell[j] - turns[1] * cell[3 + j] - turns[2] * cell[6 + j]);
}
async function named() {  // bonds of the file as rows of atoms
  if (!scene.bonds || pairs) return;
  pairs = new Uint32Array((await opened(scene.bonds)).buffer);
}
function guessed(one) {  // atoms of elements that are near enough
  const reach = scene.types.map((type) => type.bond), widest = 2.3 * Math.max(...reach, 0);
  const found = [];
  if (!widest || one.n > 40000) return found;
  const cells = new Map(), at = [], key = (a, b, c) => (a * 4099 + b) * 4099 + c;
  for (let k = 0; k < one.n; k++) {
    const p = position(one, k), home = p.map((part, j) => Math.floor((part - scene.low[j]) / widest));
    for (let a = -1; a < 2; a++) for (let b = -1; b < 2; b++) for (let c = -1; c < 2; c++)
      for (const other of cells.get(key(home[0] + a, home[1] + b, home[2] + c)) || []) {
        const most = 1.15 * (reach[one.types[k] - 1] + reach[one.types[other] - 1]);
        if (!reach[one.types[k] - 1] || !reach[one.types[other] - 1]) continue;
        if (p.reduce((sum, part, j) => sum + (part - at[other][j]) ** 2, 0) < most * most) found.push(k, other);
      }
    at.push(p);
    const mine = key(...home);
    if (!cells.has(mine)) cells.set(mine, []);
    cells.get(mine).push(k);
  }
  return found;
}
function links(one) {
  if (one.links) return one.links;
  if (!pairs) return one.links = guessed(one);
  const row = new Map(), found = [];
  one.ids.forEach((id, k) => row.set(id, k));
  for (let k = 0; k < pairs.length; k += 2) if (row.has(pairs[k]) && row.has(pairs[k + 1])) found.push(row.get(pairs[k]), row.get(pairs[k + 1]));
  return one.links = found;
}
let stickCount = 0;
function putBonds(one, colours) {
  const found = view.bonds ? links(one) : [];
  const data = new ArrayBuffer(found.length * 20), values = new DataView(data);
  stickCount = 0;
  let at = 0;
  const put = (a, b, first, second) => {
    a.concat(b).forEach((part, j) => values.setFloat32(at + 4 * j, (part - scene.low[j % 3]) / scene.span[j % 3], true));
    for (let j = 0; j < 3; j++) { values.setUint8(at + 24 + j, colours[4 * first + j]); values.setUint8(at + 28 + j, colours[4 * second + j]); }
    at += 32; stickCount++;
  };
  for (let k = 0; k < found.length; k += 2) {
    const a = position(one, found[k]), b = position(one, found[k + 1]), d = b.map((part, j) => part - a[j]), near = nearest(one, d);
    if (near.every((part, j) => Math.abs(part - d[j]) < 1e-3 * scene.span[j])) put(a, b, found[k], found[k + 1]);
  }  // those across a face of the box are left out
  fill("bonds", new Uint8Array(data, 0, at));
}
function corners(cell, origin) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map((a) => [0, 1, 2].map((j) =>
    origin[j] + (a & 1 ? cell[j] : 0) + (a & 2 ? cell[3 + j] : 0) + (a & 4 ? cell[6 + j] : 0)));
}
function putBox(one) {
  const ends = corners(one.about.cell, one.about.origin), points = [];
  for (let a = 0; a < 8; a++) for (const bit of [1, 2, 4]) if (!(a & bit)) points.push(...ends[a], ...ends[a | bit]);
  fill("box", new Float32Array(points));
}

function attribute(at, name, buffer, size, kind, unit, stride, offset, each) {
  const where = at.of(name);
  if (where < 0) return;
  gl.bindBuffer(gl.ARRAY_BUFFER, store[buffer]);
  gl.enableVertexAttribArray(where);
  gl.vertexAttribPointer(where, size, kind, unit, stride, offset);
  gl.vertexAttribDivisor(where, each);
}
const paper = () => {
  const found = getComputedStyle(canvas).backgroundColor.match(/[\d.]+/g) || [255, 255, 255];
  return found.slice(0, 3).map((part) => part / 255);
};
function camera(used) {
  const wide = canvas.width / canvas.height, {at} = used;
  gl.useProgram(used.made);
  gl.uniform3fv(at.low, scene.low); gl.uniform3fv(at.span, scene.span); gl.uniform3fv(at.centre, view.centre);
  gl.uniformMatrix3fv(at.turn, true, view.turn);
  gl.uniform2f(at.scale, 1 / (view.high * wide), 1 / view.high); gl.uniform2fv(at.pan, view.pan);
  gl.uniform1f(at.deep, view.deep);
  if (at.cut) gl.uniform1f(at.cut, view.cut);
  if (at.back) gl.uniform3fv(at.back, paper());
}
function drawBalls(picking) {
  camera(balls);
  const chosen = [0, 1, 2, 3].map((k) => view.picked[k] === undefined ? -1 : shown.ids.indexOf(view.picked[k]));
  gl.uniform1f(balls.at.size, view.size); gl.uniform1f(balls.at.largest, largest);
  gl.uniform1iv(balls.at["chosen[0]"], chosen); gl.uniform1i(balls.at.picking, picking ? 1 : 0);
  attribute(balls, "point", "points", 3, gl.UNSIGNED_SHORT, true, 6, 0, 1);
  attribute(balls, "colour", "colours", 4, gl.UNSIGNED_BYTE, true, 4, 0, 1);
  gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, shown.n);
}
function clearAttributes() { for (let k = 0; k < 4; k++) { gl.disableVertexAttribArray(k); gl.vertexAttribDivisor(k, 0); } }
function draw() {
  if (!shown) return;
  const ratio = Math.min(window.devicePixelRatio || 1, 2), width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
  const back = paper();
  gl.viewport(0, 0, canvas.width, canvas.height);
  gl.clearColor(...back, 1); gl.enable(gl.DEPTH_TEST); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  drawBalls(false); clearAttributes();
  if (view.bonds && stickCount) {
    camera(sticks);
    gl.uniform1f(sticks.at.width, 0.28 * Math.min(...scene.types.map((one) => one.radius)) * Math.min(view.size * 2, 1));
    attribute(sticks, "from", "bonds", 3, gl.FLOAT, false, 32, 0, 1); attribute(sticks, "to", "bonds", 3, gl.FLOAT, false, 32, 12, 1);
    attribute(sticks, "first", "bonds", 4, gl.UNSIGNED_BYTE, true, 32, 24, 1);
    attribute(sticks, "second", "bonds", 4, gl.UNSIGNED_BYTE, true, 32, 28, 1);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, stickCount); clearAttributes();
  }
  if (view.box && shown.about.boxed) {
    camera(lines);
    gl.uniform3fv(lines.at.ink, back[0] > 0.5 ? [0.25, 0.25, 0.25] : [0.75, 0.75, 0.75]);
    attribute(lines, "point", "box", 3, gl.FLOAT, false, 12, 0, 0);
    gl.drawArrays(gl.LINES, 0, 24); clearAttributes();
  }
}
let waiting = false;
function soon() { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; draw(); }); } }

function pick(x, y) {  // the row of the atom under a point of the canvas, in pixels of the page; -1: none
  const wide = canvas.width, high = canvas.height, texture = gl.createTexture(), depth = gl.createRenderbuffer();
  const target = gl.createFramebuffer(), ratio = wide / canvas.clientWidth, found = new Uint8Array(4);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, wide, high, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  gl.bindRenderbuffer(gl.RENDERBUFFER, depth); gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, wide, high);
  gl.bindFramebuffer(gl.FRAMEBUFFER, target);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
  const px = Math.floor(x * ratio), py = high - 1 - Math.floor(y * ratio);
  gl.enable(gl.SCISSOR_TEST); gl.scissor(px, py, 1, 1);
  gl.viewport(0, 0, wide, high); gl.clearColor(0, 0, 0, 0); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  drawBalls(true); clearAttributes();
  gl.readPixels(px, py, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, found);
  gl.disable(gl.SCISSOR_TEST); gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  gl.deleteFramebuffer(target); gl.deleteTexture(texture); gl.deleteRenderbuffer(depth);
  return (found[0] | found[1] << 8 | found[2] << 16) - 1;
}
const digits = (value) => Number(value.toPrecision(6)).toString();
function tell() {
  const rows = view.picked.map((id) => shown.ids.indexOf(id)).filter((row) => row >= 0), unit = scene.length ? ` ${scene.length}` : "";
  if (!rows.length) { say("Click an atom to see what it is, two for their distance, three for an angle."); return; }
  const k = rows[rows.length - 1], parts = [`atom ${shown.ids[k]}: ${scene.types[shown.types[k] - 1].name}`,
    `at (${position(shown, k).map(digits).join(", ")})${unit}`];
  scene.values.forEach((value, j) => parts.push(`${value.name} ${digits(value.low + (value.high - value.low) * shown.values[j][k] / WHOLE)}`));
  const between = (a, b) => nearest(shown, position(shown, a).map((part, j) => position(shown, b)[j] - part));
  const length = (d) => Math.hypot(...d);
  if (rows.length > 1) {
    const d = between(k, rows[rows.length - 2]);
    parts.push(`distance to atom ${shown.ids[rows[rows.length - 2]]}: ${digits(length(d))}${unit}`);
  }
  if (rows.length > 2) {
    const [a, b, c] = rows, u = between(b, a), v = between(b, c);
    const cosine = u.reduce((sum, part, j) => sum + part * v[j], 0) / (length(u) * length(v));
    parts.push(`angle ${digits(Math.acos(Math.min(1, Math.max(-1, cosine))) * 180 / Math.PI)}° at atom ${shown.ids[b]}`);
  }
  say(parts.join(" · "));
}
function legend() {
  const kind = scene.values.find((value) => value.name === view.mode), place = $("legend");
  place.replaceChildren();
  const add = (text, paint) => {
    const item = document.createElement("span"), mark = document.createElement("i");
    mark.style.background = paint; item.append(mark, text); place.append(item);
  };
  if (kind) {
    add(digits(kind.low), `rgb(${heat(0).map(Math.round)})`);
    const strip = document.createElement("b");
    strip.style.background = `linear-gradient(90deg, ${MAP.map((one) => `rgb(${one})`).join(",")})`;
    place.append(strip); add(digits(kind.high), `rgb(${heat(1).map(Math.round)})`);
    return;
  }
  const counts = new Map();
  for (const type of shown.types) counts.set(type, (counts.get(type) || 0) + 1);
  const named = new Map();  // several types may be of one element
  scene.types.forEach((one, k) => {
    const paint = view.mode === "element" && one.element || one.colour, key = view.mode === "element" ? one.name : k;
    if (counts.get(k + 1)) named.set(key, {name: one.name, paint, count: (named.get(key) || {count: 0}).count + counts.get(k + 1)});
  });
  [...named.values()].slice(0, 24).forEach(({name, paint, count}) => add(`${name}: ${count}`, `#${paint}`));
}
async function show(number) {
  view.number = number;
  const one = await frame(number);
  if (view.number !== number) return;
  shown = one;
  await named();
  const colours = paints(one);
  fill("points", one.points); fill("colours", colours); putBonds(one, colours); putBox(one);
  $("slider").value = number;
  const time = one.about.time === null ? "" : `, time ${digits(one.about.time)}`;
  $("step").textContent = `step ${one.about.step}${time} (${number + 1} of ${frames.length})`;
  legend(); tell(); draw();
  place.dataset.state = "ready"; place.dataset.frame = number; place.dataset.atoms = one.n;
}
function whole() {  // all that there is, seen a little from the side, flat systems from above
  const low = [...scene.low], high = scene.low.map((part, j) => part + scene.span[j]);
  for (const {boxed, cell, origin} of frames) if (boxed) for (const end of corners(cell, origin)) end.forEach((part, j) => {
    low[j] = Math.min(low[j], part); high[j] = Math.max(high[j], part);
  });
  view.centre = low.map((part, j) => 0.5 * (part + high[j]));
  const size = low.map((part, j) => high[j] - part), reach = 0.5 * Math.hypot(...size) + largest;
  view.deep = 1.05 * reach + 2 * largest;
  view.pan = [0, 0]; view.turn = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  if (scene.dimension === 3) { spin(-0.45, 0); spin(0, 0.35); }
  const span = [0, 1].map((i) => 0.5 * [0, 1, 2].reduce((sum, j) => sum + Math.abs(view.turn[3 * i + j]) * size[j], 0) + largest);
  view.high = 1.04 * Math.max(span[1], span[0] * canvas.clientHeight / Math.max(canvas.clientWidth, 1));
  soon();
}
function spin(a, b) {
  const [s, c, t, d] = [Math.sin(a), Math.cos(a), Math.sin(b), Math.cos(b)], m = view.turn;
  const by = [c, 0, s, s * t, d, -c * t, -s * d, t, c * d];
  view.turn = [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => by[3 * i] * m[j] + by[3 * i + 1] * m[3 + j] + by[3 * i + 2] * m[6 + j]));
}

let held = null;
canvas.addEventListener("pointerdown", (event) => {
  held = {x: event.clientX, y: event.clientY, moved: 0, shift: event.shiftKey || event.button === 2};
  canvas.setPointerCapture(event.pointerId);
});
canvas.addEventListener("pointermove", (event) => {
  if (!held) return;
  const dx = event.clientX - held.x, dy = event.clientY - held.y, unit = 2 * view.high / canvas.clientHeight;
  held.moved += Math.abs(dx) + Math.abs(dy); held.x = event.clientX; held.y = event.clientY;
  if (held.shift || event.shiftKey) view.pan = [view.pan[0] - dx * unit, view.pan[1] + dy * unit];
  else spin(dx * 0.008, dy * 0.008);
  soon();
});
canvas.addEventListener("pointerup", (event) => {
  if (held && held.moved < 4 && shown) {
    const box = canvas.getBoundingClientRect(), row = pick(event.clientX - box.left, event.clientY - box.top);
    if (row < 0) view.picked = [];
    else view.picked = [...(view.picked.length > 2 ? [] : view.picked), shown.ids[row]];
    tell(); draw();
  }
  held = null;
});
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("wheel", (event) => {
  event.preventDefault(); view.high *= Math.exp(event.deltaY * 0.001); soon();
}, {passive: false});
canvas.addEventListener("keydown", (event) => {
  const turns = {ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1]}[event.key];
  if (turns) spin(...turns); else if (event.key === "+") view.high /= 1.1; else if (event.key === "-") view.high *= 1.1; else return;
  event.preventDefault(); soon();
});

let timer = 0;
function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => show((view.number + 1) % frames.length), 80) : 0;
  $("play").textContent = on ? "Pause" : "Play";
}
$("play").addEventListener("click", () => play(!timer));
$("slider").max = frames.length - 1;
$("slider").addEventListener("input", () => { play(false); show(Number($("slider").value)); });
if (frames.length < 2) for (const name of ["play", "slider"]) $(name).hidden = true;
const modes = ["type", ...(view.mode === "element" ? ["element"] : []), ...scene.values.map((value) => value.name)];
for (const mode of modes) $("mode").append(new Option(mode, mode, false, mode === view.mode));
$("mode").addEventListener("change", () => { view.mode = $("mode").value; show(view.number); });
$("size").addEventListener("input", () => { view.size = Number($("size").value); soon(); });
$("cut").addEventListener("input", () => {
  const part = Number($("cut").value); view.cut = part >= 1 ? 1e30 : view.deep * (2 * part - 1) * 0.8; soon();
});
const bonded = Boolean(scene.bonds) || scene.types.some((one) => one.bond);
if (!bonded) $("bonds").parentElement.hidden = true;
$("bonds").addEventListener("change", () => {
  view.bonds = $("bonds").checked;
  view.size = view.bonds ? 0.5 : 1; $("size").value = view.size; show(view.number);
});
$("box").addEventListener("change", () => { view.box = $("box").checked; soon(); });
$("reset").addEventListener("click", whole);
$("save").addEventListener("click", () => {
  draw();
  canvas.toBlob((blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob); link.download = `step-${shown.about.step}.png`; link.click();
    place.dataset.saved = blob.size;
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
});
new ResizeObserver(soon).observe(canvas);
if (scene.bonds) { view.bonds = true; $("bonds").checked = true; view.size = 0.6; $("size").value = view.size; }
whole();
show(frames.length - 1).catch((error) => { say(String(error)); place.dataset.state = "failed"; console.error(error); });
})();
