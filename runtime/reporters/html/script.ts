import { Markup } from '#grammar/markup/html.ts';

const source = `
const status=document.getElementById('status'),find=document.getElementById('find'),found=document.getElementById('found');
let timer;
function apply(){
  const wanted=status.value,text=find.value.trim().toLowerCase();let shown=0;
  const fits=step=>(!wanted||step.classList.contains(wanted))&&(!text||step.textContent.toLowerCase().includes(text));
  for(const step of document.querySelectorAll('.steps>details')){
    const hit=fits(step);
    step.hidden=!hit;if(hit)shown++;
  }
  for(const failure of document.querySelectorAll('#failures>.failed'))failure.hidden=!fits(failure);
  for(const file of document.querySelectorAll('details.file')){
    const any=file.querySelector('.steps>details:not([hidden])');
    file.hidden=!any&&!!(wanted||text);if(any&&(wanted||text))file.open=true;
  }
  for(const section of document.querySelectorAll('#failures,#times,#files'))
    section.hidden=!!(wanted||text)&&(section.id==='times'||![...section.children].some(part=>part.tagName!=='H2'&&!part.hidden));
  found.textContent=wanted||text?shown+(shown===1?' step':' steps'):'';
}
status.addEventListener('change',apply);
find.addEventListener('input',()=>{clearTimeout(timer);timer=setTimeout(apply,150)});
document.querySelector('form').addEventListener('submit',event=>event.preventDefault());
`;

/**
 * The page's only script: it filters. `hash` is its SHA-256 in base64 for the content security policy; a test
 * recomputes it, because this folder has no digest of its own.
 */
export const script = { markup: new Markup(source), source, hash: 'Fl0+zLzSA2DAxKWeRXYOpVBb2+taTWm78P2Tc5YCTVA=' };
