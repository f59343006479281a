import { Markup } from '#grammar/markup/html.ts';

const source = `
const status=document.getElementById('status'),find=document.getElementById('find'),found=document.getElementById('found');
const texts=new Map();
let timer;
function textOf(step){
  let text=texts.get(step);
  if(text===undefined)texts.set(step,text=step.textContent.toLowerCase());
  return text;
}
function show(part,yes){if(part.hidden===yes)part.hidden=!yes}
function apply(){
  const wanted=status.value,text=find.value.trim().toLowerCase();let shown=0;
  const fits=step=>(!wanted||step.classList.contains(wanted))&&(!text||textOf(step).includes(text));
  for(const file of document.querySelectorAll('details.file')){
    let inFile=0;
    for(const group of file.querySelectorAll('.steps>div')){
      let inGroup=0;
      for(const step of group.children){const hit=fits(step);show(step,hit);if(hit)inGroup++}
      show(group,inGroup>0);
      group.style.containIntrinsicHeight='auto '+inGroup*34+'px';
      inFile+=inGroup;
    }
    show(file,inFile>0||!(wanted||text));if(inFile>0&&(wanted||text))file.open=true;
    shown+=inFile;
  }
  for(const failure of document.querySelectorAll('#failures>.failed,#pictures>article'))show(failure,fits(failure));
  for(const section of document.querySelectorAll('#failures,#pictures,#times,#files'))
    show(section,!(wanted||text)||(section.id!=='times'&&[...section.children].some(part=>part.tagName!=='H2'&&!part.hidden)));
  for(const link of document.querySelectorAll('nav a'))show(link,!document.querySelector(link.hash).hidden);
  found.textContent=wanted||text?shown+(shown===1?' step':' steps'):'';
}
status.addEventListener('change',apply);
find.addEventListener('input',()=>{clearTimeout(timer);timer=setTimeout(apply,150)});
document.querySelector('form').addEventListener('submit',event=>event.preventDefault());
for(const button of document.querySelectorAll('button.copy')){
  const code=button.previousElementSibling;
  button.hidden=false;
  button.addEventListener('click',async()=>{
    let done=true;
    try{await navigator.clipboard.writeText(code.textContent)}
    catch{getSelection().selectAllChildren(code);done=document.execCommand('copy')}
    button.textContent=done?'Copied':'Selected: press Ctrl+C';
  });
}
`;

/**
 * The page's only script: it filters and copies. `hash` is its SHA-256 in base64 for the content security policy; a
 * test recomputes it, because this folder has no digest of its own.
 */
export const script = { markup: new Markup(source), source, hash: 'y7cl5srtYfRI1/qc/GXH10PoEqX+yMQ26SdCYnie0U4=' };
