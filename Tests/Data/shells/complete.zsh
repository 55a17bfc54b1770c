# Prints what zsh offers for a command line, one word a line: zsh -f complete.zsh FOLDER LINE
# FOLDER holds the completion script. Completion needs a terminal, which zpty is.
zmodload zsh/zpty || exit 1
zpty shell zsh -f -i
zpty -w shell "source ${(q)0:A:h}/offers.zsh ${(q)1}"
# The shell says when it listens.
zpty -r shell line '*<READY>*'
zpty -n -w shell "$2"$'\t'
zpty -n -w shell $'\n'
while zpty -r shell line; do
  line=${${line//$'\r'/}%$'\n'}
  [[ $line == *'<END>'* ]] && break
  [[ $line == *'<'*'>' ]] && print -r -- ${${line##*<}%>}
done
zpty -d shell
