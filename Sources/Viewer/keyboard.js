// Walking over the map with the keyboard: arrows move a cursor from picture to picture, Enter opens the one under it.
"use strict";

kiano.keyboard = (() => {
  const grid = kiano.grid;
  const directions = {
    ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
  };
  let cursor = null;

  function setCursor(place) {
    cursor = place;
    kiano.layers.marks.update({ cursor });
    if (place) kiano.view.reveal(place);
  }

  function move([columns, rows], fast) {
    const from = cursor ?? kiano.view.centre();
    // Small pictures are walked over in larger steps, so that a step is always seen.
    const step = Math.max(1, Math.round(24 / kiano.view.cellSize())) * (fast ? 8 : 1);
    const place = cursor ? { column: from.column + columns * step, row: from.row + rows * step } : from;
    if (!grid.torus) {
      place.column = Math.min(grid.columns - 1, Math.max(0, place.column));
      place.row = Math.min(grid.rows - 1, Math.max(0, place.row));
    }
    setCursor(place);
    const picture = grid.pictureAt(place.column, place.row);
    if (picture < 0) kiano.announce("No picture here");
    else if (kiano.panel.picture >= 0) kiano.panel.open(picture);
    else kiano.pictures.get(picture).then((facts) => kiano.announce(facts.name));
  }

  function open() {
    const place = cursor ?? kiano.view.centre();
    setCursor(place);
    const picture = grid.pictureAt(place.column, place.row);
    if (picture >= 0) kiano.panel.open(picture);
  }

  // Undoes the last thing that is still to be seen.
  function escape() {
    if (kiano.panel.picture >= 0 || kiano.results.kind) kiano.view.closePanel();
    else if (kiano.selection.size) kiano.selection.clear();
    else setCursor(null);
    document.getElementById("map").focus({ preventScroll: true });
  }

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return escape();
    const isTyping = event.target.matches("input, textarea");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/") kiano.filter.focus();
    else if (event.key === "+" || event.key === "=") kiano.view.zoom(1, cursor);
    else if (event.key === "-") kiano.view.zoom(-1, cursor);
    else if (event.target.id !== "map" && event.target !== document.body) return;
    else if (directions[event.key]) move(directions[event.key], event.shiftKey);
    else if (event.key === "Enter") open();
    else if (event.key === " " && cursor) kiano.selection.toggle(grid.cellAt(cursor.column, cursor.row));
    else return;
    event.preventDefault();
  });

  return {
    // The mouse has taken over.
    forget() {
      if (cursor) setCursor(null);
    },
  };
})();
