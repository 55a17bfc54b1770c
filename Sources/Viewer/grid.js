// Cells and pictures. A place is a column and a row; on a torus both are unbounded, and places a period apart are the
// same cell. A cell is a number: row * columns + column.
"use strict";

kiano.grid = (() => {
  const { columns, rows, torus, count } = kiano.map;
  const bytes = Uint8Array.from(atob(kiano.map.cells), (character) => character.charCodeAt(0));
  delete kiano.map.cells;
  const view = new DataView(bytes.buffer);
  const pictures = Int32Array.from({ length: columns * rows }, (_, cell) => view.getInt32(4 * cell, true));
  const cells = new Int32Array(count).fill(-1);
  pictures.forEach((picture, cell) => {
    if (picture >= 0) cells[picture] = cell;
  });
  const modulo = (value, size) => ((value % size) + size) % size;

  return {
    columns, rows, torus, count,

    hasHoles: pictures.includes(-1),

    // Which picture is in each cell; -1 where there is none.
    pictures,
    // In which cell each picture is; -1 where it isn't on the map.
    cells,

    // A column or row within the grid.
    wrapColumn: (column) => modulo(column, columns),
    wrapRow: (row) => modulo(row, rows),

    // The cell at a place; -1 beyond the edges of a map that has some.
    cellAt(column, row) {
      if (torus) return modulo(row, rows) * columns + modulo(column, columns);
      return column < 0 || row < 0 || column >= columns || row >= rows ? -1 : row * columns + column;
    },

    // The picture at a place; -1 for none.
    pictureAt(column, row) {
      const cell = this.cellAt(column, row);
      return cell < 0 ? -1 : pictures[cell];
    },

    // The place of a cell that is closest to a place.
    placeNear(cell, near) {
      const column = cell % columns;
      const row = Math.floor(cell / columns);
      if (!torus) return { column, row };
      return {
        column: column + columns * Math.round((near.column - column) / columns),
        row: row + rows * Math.round((near.row - row) / rows),
      };
    },
  };
})();
