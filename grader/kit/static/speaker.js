// The page's own words in the student's language: `words` has them by their English, and what it has not stays English.

export const speaker = (words) => ({
  say: (english, places = {}) =>
    (words[english] ?? english).replace(/\{(\w+)\}/g, (place, name) => places[name] ?? place),
});
