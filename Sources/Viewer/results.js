// A list of pictures, marked on the map too: what a filter found, or pictures similar to one.
"use strict";

kiano.results = (() => {
  const grid = kiano.grid;
  const listed = 120;
  const element = (id) => document.getElementById(id);
  let current = null;

  // Results may lie on as many sheets as there are: only those of thumbnails in sight are loaded.
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      kiano.drawThumbnail(target.firstChild, Number(target.dataset.picture));
    }
  });

  // A picture's thumbnail as a button that goes to it.
  function entry(picture) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    const canvas = document.createElement("canvas");
    button.type = "button";
    button.dataset.picture = picture;
    canvas.width = canvas.height = 128;
    button.append(canvas);
    item.append(button);
    seen.observe(button);
    kiano.pictures.get(picture).then((facts) => {
      button.title = facts.name;
      button.setAttribute("aria-label", facts.name);
    });
    button.addEventListener("click", () => kiano.view.show(picture, { moves: true }));
    return item;
  }

  // Draws a thumbnail from the sheets.
  kiano.drawThumbnail = (canvas, picture) => {
    const cell = grid.cells[picture];
    const context = canvas.getContext("2d");
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (cell < 0) return Promise.resolve();
    return kiano.sheets.draw(context, cell % grid.columns, Math.floor(cell / grid.columns), canvas.width);
  };

  return {
    // Which kind of results is shown: "filter", "similar", or null.
    get kind() { return current; },

    show(kind, title, pictures) {
      current = kind;
      const cells = pictures.map((picture) => grid.cells[picture]).filter((cell) => cell >= 0);
      kiano.layers.marks.update({ found: new Set(cells) });
      element("results-title").textContent = title;
      element("similar-weight").hidden = kind !== "similar";
      seen.disconnect();
      element("results-list").replaceChildren(...pictures.slice(0, listed).map(entry));
      element("results-more").textContent =
        pictures.length > listed ? `and ${(pictures.length - listed).toLocaleString()} more, all marked on the map` : "";
      element("results").hidden = false;
      kiano.panel.update();
      kiano.announce(title);
    },

    clear() {
      current = null;
      kiano.layers.marks.update({ found: null });
      element("results").hidden = true;
      element("results-list").replaceChildren();
      kiano.panel.update();
    },
  };
})();
