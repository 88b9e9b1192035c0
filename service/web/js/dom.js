// Elements in one call. h("p", {class: "x", onclick: f}, "text", child)

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, v] of Object.entries(value)) element.style.setProperty(key, v);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export function icon(name, className = "") {
  const svg = s("svg", {viewBox: "0 0 24 24", "aria-hidden": "true", class: className, fill: "none", stroke: "currentColor", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round"});
  svg.innerHTML = ICONS[name] || "";
  return svg;
}

const ICONS = {
  good: '<circle cx="12" cy="12" r="9.5" fill="currentColor" stroke="none"/><path d="m7.5 12.5 3 3 6-6.5" stroke="var(--card)" stroke-width="2.6"/>',
  bad: '<path d="M8 2.500h8L21.5 8v8L16 21.500H8L2.5 16V8Z" fill="currentColor" stroke="none"/><path d="m8.5 8.5 7 7m0-7-7 7" stroke="var(--card)" stroke-width="2.6"/>',
  ask: '<path d="M12 1.8 22.2 12 12 22.2 1.8 12Z" fill="currentColor" stroke="none"/><path d="M9.6 9.400a2.5 2.5 0 1 1 3.5 2.300c-.8.4-1.1.9-1.1 1.7" stroke="var(--card)" stroke-width="2.2"/><path d="M12 16.400v.1" stroke="var(--card)" stroke-width="2.6"/>',
  warn: '<path d="M12 2.5 22.5 21h-21Z" fill="currentColor" stroke="none"/><path d="M12 9v5m0 3.200v.1" stroke="var(--card)" stroke-width="2.4"/>',
  wait: '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>',
  crown: '<path d="m3 8 4.5 4L12 5l4.5 7L21 8l-2 11H5Z" fill="currentColor"/>',
  sound: '<path d="M4 9.500v5h3.500L12 18.500v-13L7.5 9.500ZM15.5 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11"/>',
  mute: '<path d="M4 9.500v5h3.500L12 18.500v-13L7.5 9.500ZM16 9.500l5 5m0-5-5 5"/>',
  speech: '<path d="M4 5h16v11H11l-5 4v-4H4Z"/><path d="M8 9h8M8 12h5"/>',
  hush: '<path d="M4 5h16v11H11l-5 4v-4H4Z"/><path d="m9.5 8 5 5m0-5-5 5"/>',
  sun: '<circle cx="12" cy="12" r="4.2"/><path d="M12 2.500v2M12 19.500v2M2.5 12h2M19.5 12h2M5.3 5.300l1.4 1.400M17.3 17.300l1.4 1.400M5.3 18.700l1.4-1.400M17.3 6.700l1.4-1.4"/>',
  help: '<circle cx="12" cy="12" r="9.5"/><path d="M9.5 9.500a2.5 2.5 0 1 1 3.5 2.300c-.7.4-1 .9-1 1.700M12 16.500v.1"/>',
  camera: '<path d="M4 7.500h3.500L9 5h6l1.5 2.500H20V19H4Z"/><circle cx="12" cy="13" r="3.6"/>',
  picture: '<rect x="3" y="4.5" width="18" height="15" rx="2.5"/><path d="m4 17 5-5.5 4 4 2.5-2.500L20 17"/><circle cx="15.5" cy="9" r="1.5"/>',
  undo: '<path d="M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3"/>',
  redo: '<path d="m16 5 4 4-4 4M20 9H10a6 6 0 0 0 0 12h3"/>',
  settings: '<circle cx="12" cy="12" r="3"/><path d="M12 3v3m0 12v3m9-9h-3M6 12H3m15.4-6.4-2.1 2.100M7.7 16.300l-2.1 2.100m12.8 0-2.1-2.100M7.7 7.7 5.6 5.6"/>',
  pencil: '<path d="m4 20 1-5L16 4l4 4L9 19Zm10-14 4 4"/>',
  qr: '<path d="M4 4h6v6H4Zm10 0h6v6h-6ZM4 14h6v6H4Zm10 0h2v2h-2Zm4 0h2m-6 4v2m4-3v3h2"/>',
  phone: '<rect x="7" y="2.5" width="10" height="19" rx="2.5"/><path d="M11 18.500h2"/>',
  download: '<path d="M12 4v11m-4.5-4 4.5 4.5 4.5-4.500M5 20h14"/>',
};

let toastTimer = 0;
export function toast(text) {
  const box = document.getElementById("toasts");
  box.replaceChildren(h("div", {class: "toast"}, text));
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => box.replaceChildren(), 6000);
}
