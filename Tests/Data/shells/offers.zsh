# For a shell whose completions are to be known: tells them on the terminal, each in angle brackets.
PROMPT=
stty -onlcr -ocrnl -echo
fpath=($1 $fpath)
autoload -Uz compinit && compinit -u -D
compadd() {
  # With these it only looks for what would match.
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a found
  builtin compadd -A found "$@"
  (( $#found )) && print -rl -- '<'$^found'>' > /dev/tty
  builtin compadd "$@"
}
finish-line() { print -r -- '<END>' > /dev/tty; exit }
zle -N finish-line
bindkey '^I' complete-word
bindkey '^J' finish-line
# What is typed before the line editor listens may be lost.
zle-line-init() { print -r -- '<READY>' > /dev/tty }
zle -N zle-line-init
