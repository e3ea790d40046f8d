"""Commands of scripts, one family to a file; what `@command` says of them: script/registry.py."""
