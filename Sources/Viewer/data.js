// Where the files in data/ hand over what they hold. A page from the disk can't fetch files, but it can load scripts.
"use strict";

const kiano = (() => {
  const received = new Map();
  const loading = new Map();
  const key = (part, number) => `${part}-${number}`;

  return {
    // Called by the files in data/.
    receive(part, number, content) {
      if (part === "map") kiano.map = content;
      else received.set(key(part, number), content);
    },

    // A promise of what data/PART-NUMBER.js holds, which is loaded once.
    load(part, number) {
      const name = key(part, number);
      if (!loading.has(name)) {
        loading.set(name, new Promise((resolve, reject) => {
          const script = document.createElement("script");
          script.src = `data/${name}.js`;
          script.onload = () => {
            script.remove();
            resolve(received.get(name));
            received.delete(name);
          };
          script.onerror = () => {
            script.remove();
            loading.delete(name);
            reject(new Error(`data/${name}.js can't be loaded`));
          };
          document.head.append(script);
        }));
      }
      return loading.get(name);
    },

    // Tells screen readers.
    announce(text) {
      document.getElementById("announcement").textContent = text;
    },
  };
})();
