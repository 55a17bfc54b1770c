// The panel at the side: one picture, and the results.
"use strict";

kiano.panel = (() => {
  const grid = kiano.grid;
  const element = (id) => document.getElementById(id);
  // A larger original might take longer to decode than anyone wants to wait.
  const largestOriginal = 120e6;
  const fromDisk = location.protocol === "file:";
  let shown = -1;

  function fill(facts) {
    element("picture-name").textContent = facts.name;
    element("picture-folder").textContent = facts.folder;
    element("picture-taken").textContent = kiano.pictures.date(facts.taken);
    element("picture-size").textContent =
      `${facts.width} × ${facts.height}` + (facts.isPartial ? ", damaged: only a part could be read" : "");
    const link = element("picture-link");
    link.href = facts.address;
    const original = element("picture-original");
    original.alt = facts.name;
    if (fromDisk && facts.width * facts.height <= largestOriginal) original.src = facts.address;
  }

  // Browsers show what they can; for the rest there is the thumbnail.
  element("picture-original").addEventListener("load", (event) => { event.target.hidden = false; });
  element("picture-original").addEventListener("error", (event) => { event.target.hidden = true; });

  element("picture-copy").addEventListener("click", async () => {
    const facts = await kiano.pictures.get(shown);
    await kiano.copy(facts.path);
    kiano.announce("Path copied");
  });
  element("picture-similar").addEventListener("click", () => kiano.similar.find(shown));
  element("picture-select").addEventListener("click", () => kiano.selection.toggle(grid.cells[shown]));
  element("panel").querySelector("[data-close]").addEventListener("click", () => {
    kiano.view.closePanel();
    element("map").focus({ preventScroll: true });
  });
  element("picture-similar").hidden = !kiano.map.contentDimensions;
  // From a server, browsers don't follow links to files.
  element("picture-link").hidden = !fromDisk;

  return {
    // The picture that is shown; -1 for none.
    get picture() { return shown; },

    async open(picture) {
      shown = picture;
      const original = element("picture-original");
      original.hidden = true;
      original.removeAttribute("src");
      element("picture").hidden = false;
      this.update();
      kiano.layers.marks.update({ open: { cell: grid.cells[picture] } });
      kiano.drawThumbnail(element("picture-thumbnail"), picture);
      const facts = await kiano.pictures.get(picture);
      if (shown !== picture) return;
      fill(facts);
      kiano.announce(`${facts.name}, ${kiano.pictures.date(facts.taken)}`);
      kiano.similar.prepare();
    },

    close() {
      shown = -1;
      element("picture").hidden = true;
      element("picture-original").removeAttribute("src");
      kiano.layers.marks.update({ open: null });
      this.update();
    },

    // Shows the panel where it has something to show.
    update() {
      element("panel").hidden = element("picture").hidden && element("results").hidden;
      document.body.classList.toggle("has-panel", !element("panel").hidden);
      if (shown >= 0) {
        const isSelected = kiano.selection.has(grid.cells[shown]);
        element("picture-select").setAttribute("aria-pressed", isSelected);
        element("picture-select").textContent = isSelected ? "Deselect" : "Select";
      }
    },
  };
})();
