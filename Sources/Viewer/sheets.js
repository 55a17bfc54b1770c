// The pictures in tiles/: sheets of whole cells, whose side on level Z is 2^Z pixels.
"use strict";

kiano.sheets = (() => {
  const { sheetSide, topLevel, bottomLevel } = kiano.map;
  const { columns, rows, torus } = kiano.grid;
  // Decoded, a sheet takes 4 MB.
  const kept = 64;
  const images = new Map();

  // A promise of a sheet's image; null where it can't be loaded.
  function image(level, x, y) {
    const name = `tiles/${level}/${x}/${y}.jpg`;
    let promise = images.get(name);
    if (promise) {
      images.delete(name);
    } else {
      const element = new Image();
      element.src = name;
      promise = element.decode().then(() => element, () => null);
    }
    images.set(name, promise);
    if (images.size > kept) images.delete(images.keys().next().value);
    return promise;
  }

  // Along one axis, the runs of cells from `first` to `end` that lie side by side on one sheet.
  function runs(first, end, size, perSheet) {
    const list = [];
    let place = torus ? first : Math.max(0, first);
    const last = torus ? end : Math.min(size, end);
    while (place < last) {
      const cell = ((place % size) + size) % size;
      const length = Math.min(last - place, perSheet - (cell % perSheet), size - cell);
      list.push({ place, sheet: Math.floor(cell / perSheet), offset: cell % perSheet, length });
      place += length;
    }
    return list;
  }

  return {
    // The level from which cells of this many pixels are best drawn.
    levelFor: (cellPixels) =>
      Math.min(topLevel, Math.max(bottomLevel, Math.ceil(Math.log2(cellPixels)))),

    // Draws the cells from place (column, row) on, as many as fit on the canvas, each `cellPixels` large.
    // Returns a promise that is kept when everything is drawn.
    draw(context, column, row, cellPixels) {
      const level = this.levelFor(cellPixels);
      const source = 1 << level;
      const perSheet = sheetSide >> level;
      const across = runs(column, column + Math.ceil(context.canvas.width / cellPixels), columns, perSheet);
      const down = runs(row, row + Math.ceil(context.canvas.height / cellPixels), rows, perSheet);
      // Enlarged together, neighbours would run into one another, but not where a sheet ends.
      const step = cellPixels > source ? 1 : perSheet;
      const drawn = [];
      for (const h of across) {
        for (const v of down) {
          drawn.push(image(level, h.sheet, v.sheet).then((sheet) => {
            if (!sheet) return;
            for (let x = 0; x < h.length; x += step) {
              for (let y = 0; y < v.length; y += step) {
                const width = Math.min(step, h.length - x);
                const height = Math.min(step, v.length - y);
                context.drawImage(
                  sheet, (h.offset + x) * source, (v.offset + y) * source, width * source, height * source,
                  (h.place + x - column) * cellPixels, (v.place + y - row) * cellPixels, width * cellPixels,
                  height * cellPixels);
              }
            }
          }));
        }
      }
      return Promise.all(drawn);
    },
  };
})();
