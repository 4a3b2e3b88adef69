// Looks through the titles, headings and words of all pages, without a server.
const up = document.currentScript.dataset.up;
const box = document.getElementById("search");
const found = document.getElementById("found");
const article = document.querySelector("article");

// On a phone the list of pages would stand before every page.
if (matchMedia("(max-width: 800px)").matches) {
  document.querySelector("nav details").open = false;
}

function score(words, [, title, headings, text]) {
  const named = headings.map(([, heading]) => heading).join(" ").toLowerCase();
  const all = text.toLowerCase();
  let sum = 0;
  for (const word of words) {
    const here =
      (title.toLowerCase().includes(word) ? 20 : 0) +
      (named.includes(word) ? 5 : 0) +
      Math.min(4, all.split(word).length - 1);
    if (here === 0) {
      return 0;
    }
    sum += here;
  }
  return sum;
}

function excerpt(words, text) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 60);
  return (at > 0 ? "…" : "") + text.slice(at, at + 180).replaceAll("\n", " ") + "…";
}

function show() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const any = words.length > 0;
  found.hidden = !any;
  article.hidden = any;
  found.replaceChildren();
  if (!any) {
    return;
  }
  const hits = searchIndex
    .map((page) => [score(words, page), page])
    .filter(([points]) => points > 0)
    .sort(([a], [b]) => b - a)
    .slice(0, 25);
  for (const [, [address, title, headings, text]] of hits) {
    const row = document.createElement("p");
    const link = row.appendChild(document.createElement("a"));
    const heading = headings.find(([, name]) => words.every((w) => name.toLowerCase().includes(w)));
    link.href = up + address + (heading ? "#" + heading[0] : "");
    link.textContent = heading && heading[1] !== title ? title + ": " + heading[1] : title;
    row.appendChild(document.createElement("small")).textContent = excerpt(words, text);
    found.append(row);
  }
  if (hits.length === 0) {
    found.textContent = "No page has all of these words.";
  }
}

box.form.addEventListener("submit", (event) => {
  event.preventDefault();
  found.querySelector("a")?.click();
});
box.addEventListener("input", show);
found.addEventListener("click", (event) => {
  if (event.target.closest("a")) {
    box.value = "";
    show();
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement.tagName !== "INPUT") {
    event.preventDefault();
    box.focus();
  }
});
