/**
 * A completion script asks `svc __complete` at each press of the key, so that it knows every verb, option and command
 * of the svc that is installed.
 */
export const scripts: Readonly<Record<string, string>> = {
  bash: `_svc() {
  local line cur="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files) compopt -o filenames 2>/dev/null; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur") ;;
      :directories) compopt -o filenames 2>/dev/null; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$cur") ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(svc __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _svc svc
`,
  zsh: `#compdef svc
_svc() {
  local line
  local -a found described
  while IFS= read -r line; do
    case "$line" in
      :files) _files ;;
      :directories) _files -/ ;;
      *) found+=("\${line%%$'\\t'*}"); described+=("\${line/$'\\t'/  -- }") ;;
    esac
  done < <(svc __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#found} )) && compadd -d described -a found
}
if [ "\${funcstack[1]}" = "_svc" ]; then _svc "$@"; else compdef _svc svc; fi
`,
  fish: `function __svc_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (svc __complete $words[2..-1] 2>/dev/null)
    switch $line
      case ':files'
        __fish_complete_path (commandline -ct)
      case ':directories'
        __fish_complete_directories (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete -c svc -f -a '(__svc_complete)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($word, $ast, $position)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '""' }
  svc __complete @words 2>$null | ForEach-Object {
    if ($_ -eq ':files' -or $_ -eq ':directories') {
      Get-ChildItem "$word*" | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_.Name) }
    } else {
      $name, $about = $_ -split "\`t", 2
      [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $(if ($about) { $about } else { $name }))
    }
  }
}
`,
};
