"""The command line: parse, call, print, exit code. Each command is a module of the same name, imported when it runs."""
