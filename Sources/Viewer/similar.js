// Finds the pictures most like one, by brute force over all vectors, in a worker.
"use strict";

kiano.similar = (() => {
  const { count, vectorsPerChunk, contentDimensions, appearanceDimensions, contentScale, appearanceScale } = kiano.map;
  const shownCount = 60;
  // Of so many pictures the vectors, 114 bytes each, are loaded before they are asked for.
  const preparedCount = 200000;
  let worker = null;
  let asked = -1;

  // Runs in the worker, so it can use nothing from outside.
  function work() {
    let content, appearance, count, dimensions, scale;

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

    // As Sources/Features/Search/Similarity.swift: what is compared are whole numbers below 2^53, so that the program
    // finds the same pictures in the same order. Those that are as far as the last are all found: their paths decide.
    const find = (picture, weight, number) => {
      const perContent = weight / scale.content;
      const perAppearance = (1 - weight) / scale.appearance;
      const largest = Math.max(perContent, perAppearance);
      const contentFactor = Math.floor(perContent / largest * 2 ** 30 + 0.5);
      const appearanceFactor = Math.floor(perAppearance / largest * 2 ** 30 + 0.5);
      // The best so far, the farthest last.
      const best = [];
      for (let other = 0; other < count; other++) {
        if (other === picture) continue;
        const far = contentFactor * distance(content, dimensions.content, picture, other)
          + appearanceFactor * distance(appearance, dimensions.appearance, picture, other);
        if (best.length >= number && far > best[number - 1].far) continue;
        let place = best.length;
        while (place > 0 && best[place - 1].far > far) place--;
        best.splice(place, 0, { picture: other, far });
        while (best.length > number && best.at(-1).far > best[number - 1].far) best.pop();
      }
      return best;
    };

    onmessage = ({ data }) => {
      if (data.kind === "begin") {
        ({ count, dimensions, scale } = data);
        content = new Uint8Array(count * dimensions.content);
        appearance = new Uint8Array(count * dimensions.appearance);
      } else if (data.kind === "vectors") {
        content.set(decode(data.content), data.first * dimensions.content);
        appearance.set(decode(data.appearance), data.first * dimensions.appearance);
      } else {
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
      scale: { content: contentScale, appearance: appearanceScale },
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

  const byBytes = (first, second) => {
    const end = Math.min(first.length, second.length);
    for (let index = 0; index < end; index++) {
      if (first[index] !== second[index]) return first[index] - second[index];
    }
    return first.length - second.length;
  };

  // Pictures that are equally far in the order of their paths; no others are moved.
  async function orderedByPath(found) {
    const isTied = (index) => found[index].far === found[index - 1]?.far || found[index].far === found[index + 1]?.far;
    const entries = await Promise.all(found.map(async (result, index) =>
      ({ ...result, bytes: isTied(index) ? (await kiano.pictures.get(result.picture)).bytes : [] })));
    return entries.sort((a, b) => a.far - b.far || byBytes(a.bytes, b.bytes)).slice(0, shownCount);
  }

  async function show({ picture, found }) {
    if (picture !== asked) return;
    const [facts, ordered] = await Promise.all([kiano.pictures.get(picture), orderedByPath(found)]);
    if (picture !== asked) return;
    kiano.results.show("similar", `Similar to ${facts.name}`, ordered.map((result) => result.picture));
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
