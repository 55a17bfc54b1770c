// The two layers of the map: the pictures, and marks on top of them. In both, a Leaflet tile is a canvas; its sides are
// whole numbers of cells at every zoom, as both are powers of two.
"use strict";

kiano.layers = (() => {
  const grid = kiano.grid;
  const tileSize = 512;
  // Pixels of a canvas for each pixel of the page; whole, so that cells are drawn pixel by pixel.
  const density = devicePixelRatio > 1 ? 2 : 1;

  // Cell and place of a tile's corner, and what a cell measures on its canvas.
  function geometry(coords) {
    const perTile = tileSize / 2 ** coords.z;
    return {
      column: coords.x * perTile, row: coords.y * perTile, perTile, cellPixels: density * 2 ** coords.z,
    };
  }

  function makeCanvas() {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = tileSize * density;
    canvas.setAttribute("aria-hidden", "true");
    return canvas;
  }

  const options = {
    tileSize, keepBuffer: 1, updateWhenZooming: false, noWrap: true, minZoom: -10, maxZoom: 20,
    bounds: grid.torus ? undefined : [[0, 0], [grid.rows, grid.columns]],
  };

  const Pictures = L.GridLayer.extend({
    createTile(coords, done) {
      const canvas = makeCanvas();
      const context = canvas.getContext("2d", { alpha: true });
      const { column, row, perTile, cellPixels } = geometry(coords);
      kiano.sheets.draw(context, column, row, cellPixels).then(() => {
        // Where there is no picture, the page shows.
        for (let y = 0; y < perTile && grid.hasHoles; y++) {
          for (let x = 0; x < perTile; x++) {
            if (grid.pictureAt(column + x, row + y) < 0) {
              context.clearRect(x * cellPixels, y * cellPixels, cellPixels, cellPixels);
            }
          }
        }
        done(null, canvas);
      });
      return canvas;
    },
  });

  // Draws what `marks` says: `found` and `selected`, sets of cells or null, and the places `open` and `cursor`.
  const Marks = L.GridLayer.extend({
    marks: { found: null, selected: new Set(), open: null, cursor: null },

    initialize(options) {
      L.GridLayer.prototype.initialize.call(this, options);
      this.live = new Map();
      this.on("tileunload", (event) => this.live.delete(event.tile));
    },

    createTile(coords) {
      const canvas = makeCanvas();
      this.live.set(canvas, coords);
      this.paint(canvas, coords);
      return canvas;
    },

    update(marks) {
      Object.assign(this.marks, marks);
      for (const [canvas, coords] of this.live) this.paint(canvas, coords);
    },

    paint(canvas, coords) {
      const context = canvas.getContext("2d");
      const { column, row, perTile, cellPixels } = geometry(coords);
      const { found, selected, open, cursor } = this.marks;
      context.clearRect(0, 0, canvas.width, canvas.height);
      if (!found && !selected.size && !open && !cursor) return;
      const style = getComputedStyle(document.documentElement);
      if (found) {
        context.fillStyle = style.getPropertyValue("--veil");
        context.fillRect(0, 0, canvas.width, canvas.height);
      }
      const box = (place, grow) => [
        (place.column - column) * cellPixels - grow, (place.row - row) * cellPixels - grow,
        cellPixels + 2 * grow, cellPixels + 2 * grow,
      ];
      // Small cells get marks larger than themselves, which reach into the neighbouring tiles.
      const grow = Math.max(0, (7 * density - cellPixels) / 2);
      const margin = Math.ceil(grow / cellPixels);
      const each = (cells, visit) => {
        for (let y = -margin; y < perTile + margin; y++) {
          for (let x = -margin; x < perTile + margin; x++) {
            const cell = grid.cellAt(column + x, row + y);
            if (cell >= 0 && cells.has(cell)) visit({ column: column + x, row: row + y });
          }
        }
      };
      const ring = (place, colour, width) => {
        const inset = Math.min(width / 2, cellPixels / 4) - grow;
        context.lineWidth = width + 2 * density;
        context.strokeStyle = "rgb(0 0 0 / 0.55)";
        context.strokeRect(...box(place, -inset));
        context.lineWidth = width;
        context.strokeStyle = colour;
        context.strokeRect(...box(place, -inset));
      };
      if (found) {
        each(found, (place) => {
          context.clearRect(...box(place, 0));
          if (grow > 0) {
            context.fillStyle = style.getPropertyValue("--found");
            context.fillRect(...box(place, grow));
          } else if (cellPixels >= 16 * density) {
            ring(place, style.getPropertyValue("--found"), Math.min(3, cellPixels / 16) * density);
          }
        });
      }
      if (selected.size) {
        each(selected, (place) => {
          context.fillStyle = style.getPropertyValue("--selected-veil");
          context.fillRect(...box(place, 0));
          ring(place, style.getPropertyValue("--selected"), Math.min(3, Math.max(1, cellPixels / 16)) * density);
        });
      }
      if (open) {
        each({ has: (cell) => cell === open.cell }, (place) => {
          context.clearRect(...box(place, 0));
          ring(place, "white", 3 * density);
        });
      }
      if (cursor) ring(cursor, style.getPropertyValue("--accent"), 3 * density);
    },
  });

  return { pictures: new Pictures(options), marks: new Marks(options), density };
})();
