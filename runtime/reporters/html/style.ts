import { Markup } from '#grammar/markup/html.ts';

/** The page's style: light and dark by the reader's setting; long lists are laid out only where they are seen. */
export const style = new Markup(`
:root{color-scheme:light dark;--ink:#1c2024;--dim:#60646c;--line:#d9d9e0;--paper:#fff;--soft:#f5f6f8;--passed:#1a7f37;
--failed:#c62828;--flaky:#8f5b00;--skipped:#6f717c}
@media(prefers-color-scheme:dark){:root{--ink:#edeef0;--dim:#b0b4ba;--line:#363a3f;--paper:#141618;--soft:#1d2023;
--passed:#4cc76b;--failed:#ff7b72;--flaky:#e3b341;--skipped:#7d8590}}
*{box-sizing:border-box}body{margin:0;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
header,main{max-width:70rem;margin:0 auto;padding:1rem 1.5rem}h1{margin:0;font-size:1.6rem}
header.failed h1{color:var(--failed)}header.passed h1{color:var(--passed)}
h2{font-size:1.1rem;margin:1.5rem 0 .5rem}header p{margin:.2rem 0;color:var(--dim)}
.bar{display:flex;height:8px;border-radius:4px;overflow:hidden;margin:.8rem 0;background:var(--line)}
.bar .passed{background:var(--passed)}.bar .failed{background:var(--failed);min-width:4px}
.bar .flaky{background:var(--flaky)}.bar .skipped{background:var(--skipped)}
form,nav{display:flex;gap:.4rem 1rem;flex-wrap:wrap;align-items:center}nav{margin:.6rem 0 0}a{color:inherit}
input,select,button{font:inherit;padding:.2rem .4rem;background:var(--paper);color:var(--ink);border:1px solid var(--line);
border-radius:4px}
details{border:1px solid var(--line);border-radius:6px;margin:.4rem 0;background:var(--paper)}
summary{cursor:pointer;padding:.4rem .7rem;display:flex;gap:.7rem;align-items:baseline;flex-wrap:wrap}
summary::marker{content:""}summary::-webkit-details-marker{display:none}
summary::before{content:"\\25b8";color:var(--dim);width:.8em;flex:none}details[open]>summary::before{content:"\\25be"}
.steps>div{content-visibility:auto;contain-intrinsic-height:auto 2176px}
.steps>div>details{border-width:0 0 1px;border-radius:0;margin:0}
.mark{width:1.2em;flex:none;font-weight:700}.passed>summary>.mark{color:var(--passed)}
.failed>summary>.mark{color:var(--failed)}.flaky>summary>.mark{color:var(--flaky)}
.skipped>summary>.mark,.shown>summary>.mark{color:var(--skipped)}
.inner{margin-left:1.6rem!important}
.file-failure{border:1px solid var(--line);border-radius:6px;padding:.4rem .7rem;margin:.4rem 0}
.file-failure .mark{display:inline-block;color:var(--failed)}
a:focus-visible,summary:focus-visible,input:focus-visible,select:focus-visible,button:focus-visible{outline:2px solid #3b82f6;outline-offset:-2px}
.name{font-weight:600}.dim{color:var(--dim)}.time{margin-left:auto;color:var(--dim);font-variant-numeric:tabular-nums}
h3{font-size:.95rem;margin:.8rem 0 .2rem}
code{font:13px ui-monospace,monospace;background:var(--soft);padding:0 .25em;border-radius:3px}
.body{padding:.2rem 1rem 1rem}.message{font-weight:600;color:var(--failed);white-space:pre-wrap;margin:.3rem 0}
pre{margin:.4rem 0;padding:.6rem .8rem;background:var(--soft);border-radius:6px;overflow:auto;max-height:28rem;
font:13px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.4rem 0}dt{color:var(--dim)}
dd{margin:0;font-family:ui-monospace,monospace;overflow-wrap:anywhere}
img{max-width:100%;border:1px solid var(--line);border-radius:4px;display:block;margin:.4rem 0}
.notices p{margin:.2rem 0;color:var(--flaky)}[hidden]{display:none!important}figure{margin:.4rem 0}.pictures{display:flex;gap:.8rem;align-items:start}.pictures figure{flex:1 1 0;min-width:0}
output{color:var(--dim)}
#times>details{background:var(--paper)}.slow{margin:.2rem 0;padding:0 1rem .6rem 2.6rem}.slow li{padding:.1rem 0}
.lane{display:grid;grid-template-columns:minmax(4rem,14rem) 1fr;gap:.2rem .7rem;align-items:center;
overflow-wrap:anywhere}
.lane svg{width:100%;height:16px;background:var(--soft);border-radius:3px}rect.passed{fill:var(--passed)}
rect.failed{fill:var(--failed)}rect.flaky{fill:var(--flaky)}
@media print{form,nav,button{display:none}.steps>div{content-visibility:visible}}
`);
