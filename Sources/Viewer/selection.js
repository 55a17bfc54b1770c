// Pictures picked by the reader: with shift and drag, or one by one with a click while Ctrl or Cmd is held.
"use strict";

kiano.selection = (() => {
  const grid = kiano.grid;
  const cells = new Set();
  const element = (id) => document.getElementById(id);

  function changed() {
    kiano.layers.marks.update({ selected: cells });
    element("selection").hidden = cells.size === 0;
    element("selection-count").textContent = `${cells.size.toLocaleString()} selected`;
    kiano.panel.update();
  }

  // Facts of the selected pictures, in the order of the map.
  const facts = () =>
    Promise.all([...cells].sort((a, b) => a - b).map((cell) => kiano.pictures.get(grid.pictures[cell])));

  kiano.copy = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // Pages that didn't come over a safe connection have no clipboard.
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  };

  element("selection-copy").addEventListener("click", async () => {
    await kiano.copy((await facts()).map((fact) => fact.path + "\n").join(""));
    kiano.announce("List copied");
  });

  // The list has the paths' bytes; where one of them holds a line break, all end with a zero instead.
  element("selection-save").addEventListener("click", async () => {
    const list = await facts();
    const end = list.some((fact) => fact.bytes.includes(10)) ? "\0" : "\n";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(list.flatMap((fact) => [fact.bytes, end])));
    link.download = "pictures.txt";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });

  element("selection-clear").addEventListener("click", () => kiano.selection.clear());

  return {
    has: (cell) => cells.has(cell),
    get size() { return cells.size; },

    toggle(cell) {
      if (cell < 0 || grid.pictures[cell] < 0) return;
      if (!cells.delete(cell)) cells.add(cell);
      changed();
    },

    // All pictures between two places.
    addRectangle(from, to) {
      const height = Math.min(grid.rows, Math.abs(to.row - from.row) + 1);
      const width = Math.min(grid.columns, Math.abs(to.column - from.column) + 1);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const cell = grid.cellAt(Math.min(from.column, to.column) + x, Math.min(from.row, to.row) + y);
          if (cell >= 0 && grid.pictures[cell] >= 0) cells.add(cell);
        }
      }
      changed();
    },

    clear() {
      cells.clear();
      changed();
    },
  };
})();
