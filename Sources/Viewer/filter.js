// The text filter on path and date: all words must occur.
"use strict";

kiano.filter = (() => {
  const input = document.getElementById("filter-text");
  let texts = null;
  let timer = 0;

  async function apply() {
    const query = input.value;
    const words = query.normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) {
      if (kiano.results.kind === "filter") kiano.results.clear();
      return;
    }
    texts ??= kiano.pictures.texts();
    const all = await texts;
    if (input.value !== query) return;
    const found = [];
    all.forEach((text, picture) => {
      if (words.every((word) => text.includes(word))) found.push(picture);
    });
    const noun = found.length === 1 ? "picture" : "pictures";
    kiano.similar.cancel();
    kiano.results.show("filter", `${found.length.toLocaleString()} ${noun} found`, found);
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(apply, 150);
  });
  document.getElementById("filter").addEventListener("submit", (event) => {
    event.preventDefault();
    apply();
  });

  return {
    focus() {
      input.focus();
      input.select();
    },
    clear() {
      input.value = "";
      apply();
    },
  };
})();
