// Finds the pictures most like one, by brute force over all vectors, in a worker.
"use strict";

kiano.similar = (() => {
  const { count, vectorsPerChunk, contentDimensions, appearanceDimensions } = kiano.map;
  const shownCount = 60;
  // Of so many pictures the vectors, 114 bytes each, are loaded before they are asked for.
  const preparedCount = 200000;
  let worker = null;
  let asked = -1;

  // Runs in the worker, so it can use nothing from outside.
  function work() {
    let content, appearance, count, dimensions, medians;

    const decode = (text) => {
      if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
      const binary = atob(text);
      const bytes = new Uint8Array(binary.length);
      for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
      return bytes;
    };

    const distance = (vectors, size, first, second) => {
      let sum = 0;
      for (let a = first * size, b = second * size, end = a + size; a < end; a++, b++) {
        const difference = vectors[a] - vectors[b];
        sum += difference * difference;
      }
      return sum;
    };

    // Of a sample of pairs, the same each time. Distances of both kinds are divided by theirs, so that they compare.
    const median = (vectors, size) => {
      const sample = [];
      let state = 1;
      const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % count;
      for (let pair = 0; pair < 10000; pair++) {
        const [first, second] = [random(), random()];
        if (first !== second) sample.push(distance(vectors, size, first, second));
      }
      sample.sort((a, b) => a - b);
      return Math.max(1, sample[sample.length >> 1] || 0);
    };

    const find = (picture, weight, number) => {
      const perContent = weight / medians.content;
      const perAppearance = (1 - weight) / medians.appearance;
      // The best so far, the farthest last.
      const best = [];
      for (let other = 0; other < count; other++) {
        if (other === picture) continue;
        const far = perContent * distance(content, dimensions.content, picture, other)
          + perAppearance * distance(appearance, dimensions.appearance, picture, other);
        if (best.length === number && far >= best[number - 1].far) continue;
        let place = best.length;
        while (place > 0 && best[place - 1].far > far) place--;
        best.splice(place, 0, { picture: other, far });
        if (best.length > number) best.pop();
      }
      return best;
    };

    onmessage = ({ data }) => {
      if (data.kind === "begin") {
        ({ count, dimensions } = data);
        content = new Uint8Array(count * dimensions.content);
        appearance = new Uint8Array(count * dimensions.appearance);
      } else if (data.kind === "vectors") {
        content.set(decode(data.content), data.first * dimensions.content);
        appearance.set(decode(data.appearance), data.first * dimensions.appearance);
      } else {
        medians ??= {
          content: median(content, dimensions.content), appearance: median(appearance, dimensions.appearance),
        };
        // The first search of all is slower than the others: the browser has yet to compile it.
        if (data.kind === "prepare") find(0, data.weight, data.number);
        else postMessage({ picture: data.picture, found: find(data.picture, data.weight, data.number) });
      }
    };
  }

  // From the disk, a worker can't be a file of its own.
  async function start() {
    const address = URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" }));
    worker = new Worker(address);
    worker.onmessage = ({ data }) => show(data);
    worker.postMessage({
      kind: "begin", count, dimensions: { content: contentDimensions, appearance: appearanceDimensions },
    });
    for (let number = 0; number * vectorsPerChunk < count; number++) {
      const chunk = await kiano.load("vectors", number);
      worker.postMessage({ kind: "vectors", first: number * vectorsPerChunk, ...chunk });
    }
  }

  let started = null;
  const weight = document.getElementById("weight");
  weight.value = 100 * kiano.map.contentWeight;

  async function ask() {
    started ??= start();
    await started;
    worker.postMessage({ kind: "find", picture: asked, weight: weight.value / 100, number: shownCount });
  }

  // While a person looks at a picture, what "find similar" needs is made ready.
  async function prepare() {
    if (started || !contentDimensions || count > preparedCount) return;
    started = start();
    try {
      await started;
    } catch {
      // Whoever asks for similar pictures hears of it.
      return;
    }
    worker.postMessage({ kind: "prepare", weight: weight.value / 100, number: shownCount });
  }

  async function show({ picture, found }) {
    if (picture !== asked) return;
    const facts = await kiano.pictures.get(picture);
    if (picture !== asked) return;
    kiano.results.show("similar", `Similar to ${facts.name}`, found.map((result) => result.picture));
  }

  weight.addEventListener("input", ask);

  return {
    prepare() {
      (window.requestIdleCallback ?? setTimeout)(prepare);
    },

    find(picture) {
      asked = picture;
      return ask();
    },

    // Forgets a question whose answer may be on its way.
    cancel() {
      asked = -1;
    },
  };
})();
