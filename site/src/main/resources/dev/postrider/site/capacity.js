// The calculator of docs/capacity.md: what it computes is written there as formulas.
const calculator = document.getElementById("capacity-calculator");

function time(seconds) {
  if (!isFinite(seconds)) {
    return "never";
  }
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.ceil((seconds % 3600) / 60);
  return hours > 0 ? hours + " h " + minutes + " min" : minutes + " min";
}

function size(bytes) {
  return bytes < 1e9 ? Math.ceil(bytes / 1e6) + " MB" : (bytes / 1e9).toFixed(1) + " GB";
}

function compute(form) {
  const value = (name) => Number(form[name].value) || 0;
  const perMinute = value("perMinute") * value("accounts");
  const minutes = (value("chats") * value("parts")) / perMinute;
  const perDay = value("messages");
  const kept = (perDay * value("kept")) / 24;
  const row = 1000 + value("bytes");
  return [
    "A run takes " + time(minutes * 60) + "; in a window of " + value("window") + " h it reaches " +
      Math.min(value("chats"), Math.floor((value("window") * 60 * perMinute) / value("parts"))) + " chats.",
    "Accounts for it to fit: " +
      Math.ceil((value("chats") * value("parts")) / (value("window") * 60 * value("perMinute"))) + ".",
    "On average " + (perDay / 86400).toFixed(1) + " messages a second, about " +
      Math.ceil((perDay / 86400) * 10) + " in the busiest minutes.",
    "Kept delivered messages: " + Math.ceil(kept) + ", about " + size(kept * row) + " on disk.",
  ].join("\n");
}

if (calculator) {
  const fields = [
    ["chats", "Chats of a reminder", 1000],
    ["parts", "Parts per chat (texts and files)", 1],
    ["perMinute", "Pace of an account, per minute", 40],
    ["accounts", "Accounts that share the chats", 1],
    ["window", "Hours of the window", 12],
    ["messages", "Messages of all kinds a day", 20000],
    ["bytes", "Bytes of a text", 300],
    ["kept", "Hours that delivered messages are kept", 48],
  ];
  const form = document.createElement("form");
  form.className = "calculator";
  for (const [name, label, initial] of fields) {
    const caption = form.appendChild(document.createElement("label"));
    caption.htmlFor = "capacity-" + name;
    caption.textContent = label;
    const input = form.appendChild(document.createElement("input"));
    Object.assign(input, { id: "capacity-" + name, name, type: "number", min: 0, value: initial });
  }
  const result = form.appendChild(document.createElement("output"));
  const show = () => (result.textContent = compute(form));
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  calculator.replaceChildren(form);
  show();
}
