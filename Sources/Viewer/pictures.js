// What is known of the pictures: paths, sizes and dates, loaded in chunks when they are asked for.
"use strict";

kiano.pictures = (() => {
  const { count, picturesPerChunk } = kiano.map;
  const encoder = new TextEncoder();

  const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

  // A file: URL of a path's bytes. Everything but letters, digits and a few marks is percent-encoded, so that the
  // address means the same bytes whatever they are.
  function fileAddress(bytes) {
    let address = "file://";
    for (const byte of bytes) {
      const character = String.fromCharCode(byte);
      address += /[A-Za-z0-9/._~-]/.test(character)
        ? character : "%" + byte.toString(16).toUpperCase().padStart(2, "0");
    }
    return address;
  }

  // For a person to read: control characters, and marks that turn the direction of a line, as symbols.
  function readable(text) {
    return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) =>
      character < " " ? String.fromCharCode(0x2400 + character.charCodeAt(0)) : "\u{fffd}");
  }

  function describe(chunk, index, picture) {
    const path = chunk.paths[index];
    const slash = path.lastIndexOf("/");
    const encoded = chunk.bytes[index];
    const bytes = encoded === undefined ? encoder.encode(path) : fromBase64(encoded);
    return {
      picture, path, bytes,
      name: readable(path.slice(slash + 1)),
      folder: readable(path.slice(0, slash) || "/"),
      address: fileAddress(bytes),
      taken: chunk.taken[index],
      width: chunk.widths[index],
      height: chunk.heights[index],
      isPartial: chunk.partial.includes(index),
    };
  }

  return {
    // A promise of a picture's facts.
    async get(picture) {
      const number = Math.floor(picture / picturesPerChunk);
      const chunk = await kiano.load("pictures", number);
      return describe(chunk, picture - number * picturesPerChunk, picture);
    },

    // A promise of the text that a filter looks at, for every picture: path and date in lower case.
    async texts() {
      const numbers = Array.from({ length: Math.ceil(count / picturesPerChunk) }, (_, number) => number);
      const chunks = await Promise.all(numbers.map((number) => kiano.load("pictures", number)));
      return chunks.flatMap((chunk) =>
        chunk.paths.map((path, index) => `${path}\n${chunk.taken[index]}`.normalize("NFC").toLowerCase()));
    },

    // "4 July 2021, 12:34" in the reader's language; dates come without a time zone, as the camera knew them.
    date(taken) {
      const date = taken ? new Date(taken) : null;
      if (!date || Number.isNaN(date.getTime())) return taken || "unknown";
      return date.toLocaleString(undefined, { dateStyle: "long", timeStyle: "short" });
    },
  };
})();
