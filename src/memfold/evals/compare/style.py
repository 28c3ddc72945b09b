"""The look of the page: light and dark, on a screen and on paper."""

from typing import Final

STYLE: Final = """
:root { color-scheme: light dark; --ink: #1d232b; --soft: #5b6672; --line: #dfe3e8;
  --ground: #ffffff; --card: #f7f8fa;
  --c0: #c2410c; --c1: #7c8794; --c2: #b08900; --c3: #2b7a4b; --c4: #2563c9; --c5: #8b46b5;
  --c6: #0e8aa0; --c7: #c13584; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaef; --soft: #9aa5b1; --line: #313a45;
  --ground: #12161b; --card: #1a2027;
  --c0: #ff8a4c; --c1: #93a0ae; --c2: #e0b83a; --c3: #5fc387; --c4: #74a7ff; --c5: #c58bea;
  --c6: #4fc3d8; --c7: #f27ab5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 54rem; padding: 2.5rem 1.25rem 4rem; background: var(--ground);
  color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans",
  "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.15rem; margin: 2.6rem 0 .25rem; }
h3 { font-size: 1rem; margin: 1.6rem 0 .25rem; font-weight: 600; }
p { margin: .25rem 0; } p.note, ul.facts { color: var(--soft); font-size: .9rem; }
ul.facts { list-style: none; padding: 0; margin: .5rem 0 0; overflow-wrap: anywhere; }
code { font: .85em ui-monospace, Menlo, Consolas, monospace; }
figure { margin: 1rem 0 0; padding: 1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; break-inside: avoid; }
svg { display: block; width: 100%; height: auto; font-family: inherit; }
svg text { fill: var(--soft); font-size: 12px; }
svg .x { text-anchor: middle; } svg .y, svg .name { text-anchor: end; }
svg .title { font-size: 12.5px; } svg .name, svg .value { font-size: 13px; }
svg .name { fill: var(--ink); } svg .grid { stroke: var(--line); }
svg .axis { stroke: var(--soft); } svg .curve { fill: none; stroke: var(--c); stroke-width: 1.8;
  stroke-linejoin: round; } svg .curve.strong { stroke-width: 3.4; }
svg .fill { fill: var(--c); } svg .lead { stroke: var(--c); stroke-width: .7; opacity: .55; }
svg .end { fill: var(--c); font-size: 13px; } svg .end.strong { font-weight: 700; }
.c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); }
.c4 { --c: var(--c4); } .c5 { --c: var(--c5); } .c6 { --c: var(--c6); } .c7 { --c: var(--c7); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; margin: .4rem 0;
  font-variant-numeric: tabular-nums; break-inside: avoid; }
th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child { text-align: left; } thead th { color: var(--soft); font-weight: 500; }
tbody th { font-weight: 400; } tr.ours > * { font-weight: 700; }
@media print { :root { --ink: #000; --soft: #444; --line: #ccc; --ground: #fff; --card: #fff;
  --c0: #c2410c; --c1: #7c8794; --c2: #b08900; --c3: #2b7a4b; --c4: #2563c9; --c5: #8b46b5;
  --c6: #0e8aa0; --c7: #c13584; }
  body { max-width: none; padding: 0; font-size: 11pt; } figure { border: 0; padding: 0; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""
