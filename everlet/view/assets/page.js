"use strict";
// Values of curves under the pointer.
function pointed(figure) {
  const source = figure.querySelector("script"), svg = figure.querySelector("svg");
  if (!source || !svg) return;
  const {frame: [left, right, top, bottom], x: [low, high], curves} = JSON.parse(source.textContent);
  const [, , wide, tall] = svg.getAttribute("viewBox").split(" ").map(Number);
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path"), note = document.createElement("output");
  line.setAttribute("class", "pointer"); svg.append(line); figure.append(note);
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect(), at = (event.clientX - box.left) / box.width * wide;
    const x = low + (at - left) / (wide - left - right) * (high - low);
    if (x < low || x > high) { note.textContent = ""; line.setAttribute("d", ""); return; }
    line.setAttribute("d", `M${at} ${top}V${tall - bottom}`);
    note.textContent = curves.map((curve) => {
      let k = 0;
      curve.x.forEach((value, j) => { if (Math.abs(value - x) < Math.abs(curve.x[k] - x)) k = j; });
      return `${curve.name} ${curve.y[k].toPrecision(6)} at ${curve.x[k]}`;
    }).join(" · ");
  });
  svg.addEventListener("pointerleave", () => { note.textContent = ""; line.setAttribute("d", ""); });
}
const every = () => document.querySelectorAll("figure.plot").forEach(pointed);
document.addEventListener("renewed", every);
every();
