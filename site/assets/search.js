// The search: entries of assets/index.js that have all words, best first.
"use strict";
(() => {
	const root = document.currentScript.dataset.root;
	const pages = document.getElementById("pages");
	const narrow = matchMedia("(max-width: 60rem)");
	const unfold = () => { pages.open = !narrow.matches; };
	narrow.addEventListener("change", unfold);
	unfold();

	const form = document.getElementById("search");
	const input = form.querySelector("input");
	const found = document.getElementById("found");
	let entries = null;

	// The index is fetched when somebody wants to search.
	function load() {
		if (entries !== null) return;
		entries = [];
		const script = document.createElement("script");
		script.src = root + "assets/index.js";
		script.onload = () => {
			entries = globalThis.gompiPages.map(([title, heading, to, text]) =>
				({title, heading, to, text, low: [title, heading, text].map(s => s.toLowerCase())}));
			show();
		};
		document.head.append(script);
	}

	// points is how well an entry fits a word; 0 where it has not got it.
	function points(entry, word) {
		const [title, heading, text] = entry.low;
		if (heading === word || heading === "mpi_" + word) return 100;
		if (heading.startsWith(word) || heading.startsWith("mpi_" + word)) return 40;
		if (heading.includes(word)) return 20;
		if (title.includes(word)) return 8;
		return text.includes(word) ? 3 : 0;
	}

	function best(words) {
		const fit = [];
		for (const entry of entries) {
			let sum = 0;
			for (const word of words) {
				const n = points(entry, word);
				if (n === 0) { sum = 0; break; }
				sum += n;
			}
			if (sum > 0) fit.push([sum - entry.heading.length / 100, entry]);
		}
		return fit.sort((a, b) => b[0] - a[0]).slice(0, 20).map(f => f[1]);
	}

	function show() {
		const words = input.value.toLowerCase().split(/\s+/).filter(w => w);
		found.hidden = words.length === 0;
		found.replaceChildren();
		if (found.hidden || entries === null) return;
		const list = best(words);
		for (const entry of list) {
			const item = document.createElement("li"), a = document.createElement("a");
			const name = document.createElement("b"), text = document.createElement("small");
			name.textContent = entry.heading;
			text.textContent = (entry.title === entry.heading ? "" : entry.title + ": ") + entry.text.slice(0, 110);
			a.href = root + entry.to;
			a.append(name, text);
			item.append(a);
			found.append(item);
		}
		if (list.length === 0) {
			const item = document.createElement("li");
			item.className = "none";
			item.textContent = entries.length === 0 ? "..." : "Nothing has all these words.";
			found.append(item);
		}
	}

	input.addEventListener("focus", load);
	input.addEventListener("input", () => { load(); show(); });
	form.addEventListener("submit", event => {
		event.preventDefault();
		const first = found.querySelector("a");
		if (first) location.href = first.href;
	});
	form.addEventListener("keydown", event => {
		const links = [...found.querySelectorAll("a")], at = links.indexOf(document.activeElement);
		if (event.key === "Escape") { input.value = ""; show(); input.focus(); }
		if (event.key === "ArrowDown" && links.length > at + 1) { links[at + 1].focus(); event.preventDefault(); }
		if (event.key === "ArrowUp" && at >= 0) { (links[at - 1] || input).focus(); event.preventDefault(); }
	});
	document.addEventListener("keydown", event => {
		if (event.key === "/" && document.activeElement === document.body) { input.focus(); event.preventDefault(); }
	});
	document.addEventListener("click", event => { if (!form.contains(event.target)) found.hidden = true; });
	// A search may be linked to.
	const asked = new URLSearchParams(location.search).get("q");
	if (asked) { input.value = asked; load(); }
})();
