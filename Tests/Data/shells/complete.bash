# Prints what bash offers for words of a command line, one a line: bash complete.bash SCRIPT WORD...
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
"$(complete -p "$1" | sed -E 's/.*-F ([^ ]+).*/\1/')"
printf '%s\n' "${COMPREPLY[@]}"
