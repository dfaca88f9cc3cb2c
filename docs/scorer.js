// Orders the results of the search: those whose titles have more of the words first, pages for
// readers with a task before the reference. Sphinx alone takes the best word, and then the alphabet.
"use strict";

var Scorer = {
  score: (result) => {
    const [page, title, , , score] = result;
    const words = (new URLSearchParams(window.location.search).get("q") || "").toLowerCase();
    const held = title.toLowerCase();
    const found = words.split(/\W+/).filter((word) => word.length > 2 && held.includes(word.replace(/s$/, "")));
    const part = ["start/", "guides/", "concepts/", "notebooks/"].some((each) => page.startsWith(each));
    return score + 6 * found.length + (part ? 3 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
