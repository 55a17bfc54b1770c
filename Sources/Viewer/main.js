// The map itself: an endless plane on which a cell is one unit large, seen at 2^zoom pixels.
"use strict";

kiano.view = (() => {
  const grid = kiano.grid;
  const { title, failures, bottomLevel } = kiano.map;
  const container = document.getElementById("map");
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // Twice a thumbnail's size: for sharp screens, and for eyes that aren't.
  const largestZoom = 8;
  const plane = L.extend({}, L.CRS.Simple, { transformation: new L.Transformation(1, 0, 1, 0) });

  // The zooms at which all of the map fits into the window, and at which it just fills it.
  const fitting = Math.log2(Math.min(innerWidth / grid.columns, innerHeight / grid.rows));
  const filling = Math.log2(Math.max(innerWidth / grid.columns, innerHeight / grid.rows));
  const smallestZoom = Math.min(7, Math.max(bottomLevel, Math.floor(fitting)));

  const map = L.map(container, {
    crs: plane, minZoom: smallestZoom, maxZoom: largestZoom, zoomControl: false, attributionControl: false,
    keyboard: false, boxZoom: false, doubleClickZoom: false, inertia: !isCalm, zoomAnimation: !isCalm,
    fadeAnimation: !isCalm, wheelPxPerZoomLevel: 90, wheelDebounceTime: 30, bounceAtZoomLimits: false,
    maxBounds: grid.torus ? undefined : [[-2, -2], [grid.rows + 2, grid.columns + 2]],
  });
  L.control.zoom({ position: "bottomright", zoomInTitle: "Zoom in", zoomOutTitle: "Zoom out" }).addTo(map);
  map.addLayer(kiano.layers.pictures).addLayer(kiano.layers.marks);

  const placeAt = (position) => ({ column: Math.floor(position.lng), row: Math.floor(position.lat) });
  const middle = (place) => L.latLng(place.row + 0.5, place.column + 0.5);

  // --- Where the map is, in its address: #x,y,z with x and y in cells.

  let written = "";

  const wrap = (value, size) => (grid.torus ? ((value % size) + size) % size : value);

  function writeAddress() {
    const { lat, lng } = map.getCenter();
    written = `#${wrap(lng, grid.columns).toFixed(2)},${wrap(lat, grid.rows).toFixed(2)},${map.getZoom()}`;
    history.replaceState(null, "", written);
  }

  function readAddress() {
    if (location.hash === written) return location.hash !== "";
    const numbers = location.hash.slice(1).split(",").map(Number);
    if (numbers.length !== 3 || !numbers.every(Number.isFinite)) return false;
    const zoom = Math.min(largestZoom, Math.max(smallestZoom, Math.round(numbers[2])));
    map.setView([wrap(numbers[1], grid.rows), wrap(numbers[0], grid.columns)], zoom, { animate: false });
    return true;
  }

  if (!readAddress()) {
    const zoom = Math.min(7, Math.max(smallestZoom, Math.round(grid.torus ? filling : fitting)));
    map.setView([grid.rows / 2, grid.columns / 2], zoom, { animate: false });
  }
  map.on("moveend", () => {
    writeAddress();
    // Browsers place things to a fraction of a pixel only up to some millions of pixels.
    const { lat, lng } = map.getCenter();
    const far = 1e6 / 2 ** map.getZoom();
    if (grid.torus && Math.max(Math.abs(lat), Math.abs(lng)) > far + Math.max(grid.columns, grid.rows)) {
      map.setView([wrap(lat, grid.rows), wrap(lng, grid.columns)], map.getZoom(), { animate: false });
    }
  });
  addEventListener("hashchange", readAddress);

  // --- Clicks, and the rectangle that shift and drag select.

  map.on("click", ({ latlng, originalEvent }) => {
    // That was the end of a rectangle.
    if (originalEvent.shiftKey) return;
    const place = placeAt(latlng);
    const cell = grid.cellAt(place.column, place.row);
    if (originalEvent.ctrlKey || originalEvent.metaKey) return kiano.selection.toggle(cell);
    kiano.keyboard.forget();
    if (cell >= 0 && grid.pictures[cell] >= 0) kiano.panel.open(grid.pictures[cell]);
  });

  let rectangle = null;

  container.addEventListener("pointerdown", (event) => {
    if (!event.shiftKey || event.button !== 0 || event.target.closest(".leaflet-control")) return;
    event.preventDefault();
    map.dragging.disable();
    const frame = document.createElement("div");
    frame.className = "rectangle";
    container.append(frame);
    rectangle = { frame, x: event.clientX, y: event.clientY, from: placeAt(map.mouseEventToLatLng(event)) };
  }, true);

  addEventListener("pointermove", (event) => {
    if (!rectangle) return;
    const { frame, x, y } = rectangle;
    frame.style.left = `${Math.min(x, event.clientX)}px`;
    frame.style.top = `${Math.min(y, event.clientY)}px`;
    frame.style.width = `${Math.abs(x - event.clientX)}px`;
    frame.style.height = `${Math.abs(y - event.clientY)}px`;
  });

  addEventListener("pointerup", (event) => {
    if (!rectangle) return;
    kiano.selection.addRectangle(rectangle.from, placeAt(map.mouseEventToLatLng(event)));
    rectangle.frame.remove();
    rectangle = null;
    map.dragging.enable();
  });

  // --- What the page says of the whole map.

  const pictures = grid.count === 1 ? "picture" : "pictures";
  document.title = title;
  container.setAttribute("aria-label",
    `Map of ${grid.count} ${pictures}. Arrows move, Enter opens a picture, plus and minus zoom, slash filters.`);
  const summary = document.getElementById("summary");
  summary.textContent = `${grid.count.toLocaleString()} ${pictures}`;
  if (failures) {
    summary.textContent += ` · ${failures.toLocaleString()} unreadable`;
    summary.title = "The files and the reasons are listed in failures.tsv in the map's folder.";
  }
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => kiano.layers.marks.update({}));

  // --- Zooming by steps. A step that is asked for while another is shown comes after it, with all that were asked for.

  let target = null;
  let next = null;

  function zoomTo(zoom, place) {
    if (zoom === map.getZoom()) return;
    // The animation begins with the next frame only; without one zoomend comes before this returns.
    target = zoom;
    if (place) map.setZoomAround(middle(place), zoom);
    else map.setZoom(zoom);
  }

  map.on("zoomanim", (event) => { target = event.zoom; });
  map.on("zoomend", () => {
    target = null;
    if (!next) return;
    const { zoom, place } = next;
    next = null;
    zoomTo(zoom, place);
  });

  return {
    map,

    // What a cell measures on the page, in pixels.
    cellSize: () => 2 ** map.getZoom(),

    // The place in the middle.
    centre: () => placeAt(map.getCenter()),

    // Moves the map so that a place is well in sight, if it isn't.
    reveal(place) {
      const point = map.latLngToContainerPoint(middle(place));
      const size = map.getSize();
      // What the panel leaves free: it is at the right, on narrow screens at the bottom.
      const panel = document.getElementById("panel").getBoundingClientRect();
      if (panel.width && panel.left > 0) size.x = panel.left;
      else if (panel.width) size.y = panel.top;
      const margin = Math.min(100, size.x / 4, size.y / 4);
      const isSeen = point.x > margin && point.y > margin && point.x < size.x - margin && point.y < size.y - margin;
      if (!isSeen) map.panBy(point.subtract(size.divideBy(2)), { animate: !isCalm, duration: 0.2 });
    },

    // Opens a picture.
    show(picture, { moves = false } = {}) {
      kiano.panel.open(picture);
      if (moves) this.reveal(grid.placeNear(grid.cells[picture], this.centre()));
    },

    // Zooms by some steps, about a place or the middle.
    zoom(steps, place) {
      const wanted = (next?.zoom ?? target ?? map.getZoom()) + steps;
      const zoom = Math.min(largestZoom, Math.max(smallestZoom, wanted));
      if (target === null) zoomTo(zoom, place);
      else next = { zoom, place };
    },

    closePanel() {
      kiano.similar.cancel();
      kiano.panel.close();
      if (kiano.results.kind === "filter") kiano.filter.clear();
      else if (kiano.results.kind) kiano.results.clear();
    },
  };
})();
